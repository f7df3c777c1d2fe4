//! Readers on made-up documents; the real ones are read in `data_folder`.

mod congress;
mod data_folder;
mod facts;
mod filings;
mod holdings;
mod insider;
mod robust;
mod statements;
