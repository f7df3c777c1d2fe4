//! Server-sent events, from bytes as they arrive.

/// An event with its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its name; `message` where it has none.
    pub(crate) name: String,
    /// From where the stream goes on after it; `None` where it says nothing of that.
    pub(crate) id: Option<String>,
    /// Its data lines, joined by line ends.
    pub(crate) data: String,
}

/// Reads events out of pieces of a stream.
#[derive(Debug, Default)]
pub(crate) struct EventReader {
    /// The line that may go on.
    line: Vec<u8>,
    name: String,
    id: Option<String>,
    data: Option<String>,
}

impl EventReader {
    /// The events that the next bytes complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                events.extend(
                    self.read(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n'])),
                );
            }
        }
        events
    }

    /// One line; an empty one completes an event.
    fn read(&mut self, line: &str) -> Option<Event> {
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            let id = self.id.take();
            return self.data.take().map(|data| Event {
                name: if name.is_empty() {
                    "message".to_owned()
                } else {
                    name
                },
                id,
                data,
            });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "id" => self.id = Some(value.to_owned()),
            // Comments and pauses.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_pieces_give_the_same_events() {
        let text = ": beat\n\nevent: thinking\nid: 1\ndata: {\"a\":\ndata: \"é\"}\r\n\r\ndata:plain\n\nevent: lost\ndata: x";
        let event = |name: &str, id: Option<&str>, data: &str| Event {
            name: name.to_owned(),
            id: id.map(str::to_owned),
            data: data.to_owned(),
        };
        let expected = [
            event("thinking", Some("1"), "{\"a\":\n\"é\"}"),
            event("message", None, "plain"),
        ];
        for size in [1, 2, 5, 1_000] {
            let mut reader = EventReader::default();
            let events: Vec<Event> = text
                .as_bytes()
                .chunks(size)
                .flat_map(|piece| reader.push(piece))
                .collect();
            assert_eq!(events, expected, "pieces of {size}");
        }
    }
}
