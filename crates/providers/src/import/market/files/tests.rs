//! Samples of each format and of each kind of bad data, and the real files for those who have them.

mod data_folder;
mod samples;
mod streaming;
