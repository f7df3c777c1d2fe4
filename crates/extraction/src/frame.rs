//! Frames on the pipes between server and worker: a four-byte little-endian length, then the content.

use std::io::{self, Read, Write};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Longer frames are an error of the other side. A page has six million bytes at most, its JSON six times as many.
const LONGEST: usize = 48 << 20;

fn length_of(content: &[u8]) -> io::Result<[u8; 4]> {
    match u32::try_from(content.len()) {
        Ok(length) if content.len() <= LONGEST => Ok(length.to_le_bytes()),
        _ => Err(too_long()),
    }
}

fn checked(length: [u8; 4]) -> io::Result<usize> {
    let length = u32::from_le_bytes(length) as usize;
    if length <= LONGEST {
        Ok(length)
    } else {
        Err(too_long())
    }
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a frame is too long")
}

/// Reads a frame; `None` if the other side has closed the pipe between two frames.
pub(crate) fn read(pipe: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match pipe.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let mut content = vec![0; checked(length)?];
    pipe.read_exact(&mut content)?;
    Ok(Some(content))
}

/// Writes a frame.
pub(crate) fn write(pipe: &mut impl Write, content: &[u8]) -> io::Result<()> {
    pipe.write_all(&length_of(content)?)?;
    pipe.write_all(content)?;
    pipe.flush()
}

/// Reads a frame.
pub(crate) async fn receive(pipe: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    pipe.read_exact(&mut length).await?;
    let mut content = vec![0; checked(length)?];
    pipe.read_exact(&mut content).await?;
    Ok(content)
}

/// Writes a frame.
pub(crate) async fn send(pipe: &mut (impl AsyncWrite + Unpin), content: &[u8]) -> io::Result<()> {
    pipe.write_all(&length_of(content)?).await?;
    pipe.write_all(content).await?;
    pipe.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_and_hostile_lengths_are_refused() {
        let mut pipe = Vec::new();
        write(&mut pipe, b"one").unwrap();
        write(&mut pipe, b"").unwrap();
        let mut read_end = pipe.as_slice();
        assert_eq!(read(&mut read_end).unwrap().as_deref(), Some(&b"one"[..]));
        assert_eq!(read(&mut read_end).unwrap().as_deref(), Some(&b""[..]));
        assert_eq!(read(&mut read_end).unwrap(), None);
        assert!(read(&mut &[0xff, 0xff, 0xff, 0xff][..]).is_err());
        assert!(read(&mut &[9, 0, 0, 0, b'x'][..]).is_err());
    }
}
