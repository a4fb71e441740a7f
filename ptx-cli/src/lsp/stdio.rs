//! A connection over the standard input and output.

use std::io::{self, BufRead, Read};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, Message};

/// The most bytes of one message: a text of that size is not edited.
const MOST: u64 = 1 << 30;
/// The most bytes before a message.
const MOST_OF_HEADER: u64 = 1 << 12;

/// The threads that read and write, and what the reading one could not read.
#[derive(Debug)]
pub(super) struct Stdio {
    writer: JoinHandle<io::Result<()>>,
    unread: Arc<OnceLock<String>>,
}

impl Stdio {
    /// A connection with the editor that has started the tool.
    pub(super) fn connect() -> (Connection, Self) {
        let (sender, to_write) = crossbeam_channel::bounded::<Message>(0);
        let writer = thread::spawn(move || {
            let mut output = io::stdout().lock();
            to_write.iter().try_for_each(|message| message.write(&mut output))
        });
        let (read, receiver) = crossbeam_channel::bounded::<Message>(0);
        let unread = Arc::new(OnceLock::new());
        let why = Arc::clone(&unread);
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                match read_message(&mut input) {
                    Ok(Some(message)) => {
                        let is_last =
                            matches!(&message, Message::Notification(it) if it.method == "exit");
                        if read.send(message).is_err() || is_last {
                            return;
                        }
                    }
                    Ok(None) => return,
                    Err(error) => {
                        let _ = why.set(error.to_string());
                        return;
                    }
                }
            }
        });
        (Connection { sender, receiver }, Self { writer, unread })
    }

    /// What could not be read.
    pub(super) fn unread(&self) -> Option<&str> {
        self.unread.get().map(String::as_str)
    }

    /// Waits until everything is written; the connection has to be dropped before.
    ///
    /// # Errors
    /// It could not be written.
    pub(super) fn join(self) -> io::Result<()> {
        self.writer.join().unwrap_or_else(|_| Err(io::Error::other("the writing thread panicked")))
    }
}

/// Reads a message; `None` at the end of the input.
fn read_message(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let mut header = Vec::new();
    let mut length = None;
    loop {
        let start = header.len();
        let left = MOST_OF_HEADER.saturating_sub(start as u64);
        input.take(left).read_until(b'\n', &mut header)?;
        let line = String::from_utf8_lossy(&header[start..]);
        let line = line.trim();
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = Some(value.trim().parse::<u64>().map_err(|_| {
                    invalid(format!("`{}` is not the length of a message", value.trim()))
                })?);
            }
            Some(_) => {}
            None if line.is_empty() => break,
            None => {
                return Err(invalid(
                    "a message starts with `Content-Length: `, and this one does not",
                ));
            }
        }
    }
    match length {
        None if header.is_empty() => Ok(None),
        None => Err(invalid("a message has no `Content-Length`")),
        Some(length) if length > MOST => {
            Err(invalid(format!("a message of {length} bytes is longer than {MOST}")))
        }
        Some(_) => Message::read(&mut header.as_slice().chain(input)),
    }
}

fn invalid(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(mut input: &[u8]) -> String {
        read_message(&mut input).expect_err("it is not a message").to_string()
    }

    #[test]
    fn what_is_not_a_message_is_said() {
        assert!(read_message(&mut &b""[..]).expect("an end").is_none());
        assert_eq!(error(b"Content-Length: -5\r\n\r\n{}"), "`-5` is not the length of a message");
        assert_eq!(
            error(b"Content-Length: 99999999999999\r\n\r\n{}"),
            "a message of 99999999999999 bytes is longer than 1073741824"
        );
        assert_eq!(error(b"Content-Type: x\r\n\r\n{}"), "a message has no `Content-Length`");
        assert!(error(&[b'x'; 10_000]).starts_with("a message starts with"));
        assert!(error(b"Content-Length: 5\r\n\r\n{nope").contains("key must be a string"));
        assert!(!error(b"Content-Length: 50\r\n\r\n{").is_empty());
    }

    #[test]
    fn a_message_is_read() {
        let text = b"Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
        let message = read_message(&mut &text[..]).expect("it is one").expect("it is there");
        assert!(matches!(message, Message::Notification(it) if it.method == "exit"));
    }
}
