//! Samples of each form and of each kind of dirt, and the real files for those who have them.

mod data_folder;
mod samples;
mod streaming;
