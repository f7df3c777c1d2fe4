//! Samples written by hand.

use super::super::*;
