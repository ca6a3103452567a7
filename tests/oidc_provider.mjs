// The certified provider of npm, for tests/test_oidc.py: its address and the one to come back to are its arguments.

import Provider from "oidc-provider";

const [port, back] = process.argv.slice(2);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: "punto", client_secret: "a secret of the house", redirect_uris: [back] }],
  cookies: { keys: ["of a test"] },
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
