//! Every field of a receipt changed, and bytes of its file: the same changes on every run.

use serde_json::Value;

/// The document with one field changed, removed or renamed, for every field at every depth.
pub(crate) fn of_fields(document: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match document {
        Value::Object(fields) => {
            for (name, value) in fields {
                for changed in of_fields(value) {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), changed);
                    found.push(Value::Object(fields));
                }
                let mut removed = fields.clone();
                removed.shift_remove(name);
                found.push(Value::Object(removed.clone()));
                removed.insert(format!("{name}x"), value.clone());
                found.push(Value::Object(removed));
            }
            let mut added = fields.clone();
            added.insert("added".into(), Value::Null);
            found.push(Value::Object(added));
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                for changed in of_fields(item) {
                    let mut items = items.clone();
                    items[place] = changed;
                    found.push(Value::Array(items));
                }
                let mut removed = items.clone();
                removed.remove(place);
                found.push(Value::Array(removed));
                let mut repeated = items.clone();
                repeated.insert(place, item.clone());
                found.push(Value::Array(repeated));
            }
        }
        Value::String(text) => {
            let mut shorter = text.clone();
            shorter.pop();
            found.extend([
                Value::from(shorter),
                Value::from(format!("{text}a")),
                Value::Null,
            ]);
            found.push(Value::from(text.to_uppercase()));
            found.push(Value::from(text.replacen('a', "b", 1)));
        }
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            found.extend([Value::from(number + 1.0), Value::from(number + 1e-9)]);
            found.push(Value::from((number as u64) ^ 1));
            found.push(Value::from(number.to_string()));
        }
        Value::Bool(_) | Value::Null => {}
    }
    found.retain(|changed| changed != document);
    found
}

/// The file with one byte changed, removed or added, at every `step`th place from `first`.
pub(crate) fn of_bytes(file: &[u8], first: usize, step: usize) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for place in (first..file.len()).step_by(step) {
        let replaced = |byte| [&file[..place], &[byte], &file[place + 1..]].concat();
        found.extend([1, 2, 16, 32, 128].map(|bit| replaced(file[place] ^ bit)));
        found.extend(b" 0\"\\\n".map(replaced));
        found.push([&file[..place], &file[place + 1..]].concat());
        found.push([&file[..place], b" ", &file[place..]].concat());
        found.push([&file[..place], b"0", &file[place..]].concat());
    }
    found.retain(|changed| changed != file);
    found
}
