"""A bot that plays a round at a table of the service, over HTTP and a WebSocket.

python examples/bot.py http://127.0.0.1:8000 wu-song            as a guest
python examples/bot.py https://house.example wu-song ann        as ann, whose password is in BOT_PASSWORD

Beside Python it needs the package websockets, which the extra `serve` brings.
"""

import asyncio
import json
import os
import sys
import urllib.error
import urllib.request
import uuid

from websockets.asyncio.client import connect

ADDRESS, TABLE = sys.argv[1].rstrip("/"), sys.argv[2]
NAME = sys.argv[3] if len(sys.argv) > 3 else None


def ask(method, path, body=None, token=None, key=None):
    """The answer of the service as JSON; a refusal ends the program with its sentence."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if key:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(ADDRESS + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        sys.exit(f"{refusal.code}: {json.load(refusal)['refused']}")


async def play():
    """Take a seat, place one wager, and print what it is paid."""
    # 1. A session: its token goes into every request.
    if NAME is None:
        token = ask("POST", "/api/guest")["token"]
    else:
        token = ask("POST", "/api/login", {"name": NAME, "password": os.environ["BOT_PASSWORD"]})["token"]
    me = ask("GET", "/api/me", token=token)["person"]

    # 2. A free box, and chips. At a house with a cage or a wallet the chips come from there.
    table = ask("GET", f"/api/tables/{TABLE}", token=token)
    taken = {patron["box"] for patron in table["view"]["patrons"]}
    box = next((box for box in range(1, table["positions"] + 1) if box not in taken), None)
    sit = {"do": "stand", "patron": me} if box is None else {"do": "sit", "patron": me, "box": box}
    buy = {"do": "buy-in", "patron": me, "amount": 100_000}  # in the smallest unit of the currency: 1,000.00
    for command in (sit, buy):
        ask("POST", f"/api/tables/{TABLE}/commands", command, token, key=str(uuid.uuid4()))

    # 3. The stream: every event, each once and in order. Commands go in on the same socket, answers come by key.
    address = ADDRESS.replace("http", "ws", 1) + f"/api/tables/{TABLE}/stream?after={table['sequence']}"
    async with connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        bet, placed = None, False
        async for message in socket:
            told = json.loads(message)
            if told.get("key") == bet and bet is not None and "event" not in told:  # the answer to the command
                placed = "refused" not in told
                print("placed" if placed else told["refused"])
                bet = None
                continue
            event = told.get("event", {})
            if event.get("event") == "bets-opened" and not placed:
                bet = str(uuid.uuid4())
                command = {"do": "place", "patron": me, "bet": "player", "stake": table["view"]["limits"]["minimum"]}
                await socket.send(json.dumps({"key": bet, "command": command}))
            elif event.get("event") == "round-settled" and placed:
                for line in event["lines"].get(me, []):
                    print(line["says"], "net", line["net"])
                return


asyncio.run(play())
