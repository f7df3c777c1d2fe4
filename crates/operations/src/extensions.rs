//! State of the crates above that lives as long as the services.
//!
//! Whoever builds products out of operations keeps something between calls: names of instruments, what was asked before. It
//! belongs to one set of services, so that two of them in one process have nothing in common.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

/// One value of each type.
#[derive(Default)]
pub struct Extensions(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Extensions {
    /// The value of a type; made by its default when it is first asked for.
    pub fn get<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let mut values = self.0.lock();
        let value = values
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Arc::new(T::default()));
        // Nothing else is ever put under this type.
        Arc::clone(value).downcast().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn a_type_has_one_value() {
        let extensions = Extensions::default();
        extensions.get::<AtomicU32>().store(7, Ordering::Relaxed);
        assert_eq!(extensions.get::<AtomicU32>().load(Ordering::Relaxed), 7);
    }
}
