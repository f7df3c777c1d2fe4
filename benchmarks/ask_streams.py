"""benchmarks/ask_streams.py BASE KEY PID: memory of the server with 500 streams of /ask open at the same time.

Each stream asks another question, reads the first event and then nothing until all are open; then all are read to their end.
Needs `server.streams_per_account` and `server.streams_per_address` of at least 500. Prints resident memory in MB before, at most while the
streams were open, and after, and how many ended with `done`.
"""

import asyncio
import sys
from urllib.parse import quote, urlsplit

COUNT = 500
FORMS = ["How is {} doing", "should I buy {}", "tell me about {}", "{} outlook", "compare {} and MSFT"]


def resident(pid: str) -> float:
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


async def main(base: str, key: str, pid: str) -> None:
    address = urlsplit(base)
    host, port = address.hostname, address.port
    symbols = ["AAPL", "NVDA", "TSLA", "AMZN", "GOOGL", "META", "XOM", "JPM", "KO", "PFE"]
    before = resident(pid)
    most = before

    async def open_stream(number: int):
        question = FORMS[number % len(FORMS)].format(symbols[number % len(symbols)]) + f" {number}"
        reader, writer = await asyncio.open_connection(host, port)
        request = (
            f"GET /api/v1/ask/stream?question={quote(question)} HTTP/1.1\r\nHost: {host}:{port}\r\n"
            f"Authorization: Bearer {key}\r\nConnection: close\r\n\r\n"
        )
        writer.write(request.encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head.splitlines()[0], head
        await reader.readuntil(b"event: thinking")
        return reader, writer

    streams = await asyncio.gather(*(open_stream(number) for number in range(COUNT)))
    for _ in range(20):
        most = max(most, resident(pid))
        await asyncio.sleep(0.05)

    async def read(reader, writer) -> bool:
        text = await reader.read()
        writer.close()
        return b"event: done" in text

    done = sum(await asyncio.gather(*(read(*stream) for stream in streams)))
    most = max(most, resident(pid))
    print(f"before {before:.0f} MB, at most {most:.0f} MB, after {resident(pid):.0f} MB, {done} of {COUNT} done")


asyncio.run(main(*sys.argv[1:4]))
