//! Every byte that comes from elsewhere: one transport, one folder per source.

pub mod sim;
