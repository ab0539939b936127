import { expect, test } from "vitest";
import { destinationIn } from "../src/features/connections/destination";
import { pageOf } from "../src/features/connections/consent";

test.each([
  ["db.example.com", { host: "db.example.com" }],
  [" 10.0.0.5:5432 ", { host: "10.0.0.5", port: 5432 }],
  ["http://10.0.0.5:8080/", { host: "http://10.0.0.5", port: 8080 }],
  ["[::1]:5432", { host: "[::1]", port: 5432 }],
  ["https://git.example.com", { host: "https://git.example.com" }],
])("%s is a destination", (text, destination) => expect(destinationIn(text)).toEqual(destination));

test.each(["", "db.example.com:port", "::1", "ftp://x", "db.example.com/path", "db:70000"])("%s is none", (text) =>
  expect(destinationIn(text)).toBeNull(),
);

test("the page of a consent has the connection's own settings, and first choices where there are none", () => {
  const version = {
    configVariableTemplates: [{ key: "host", enumOptions: [{ id: "live.example" }, { id: "test.example" }] }],
    authConfigTemplates: [
      { configVariableTemplates: [{ authorizationCodeLink: { uri: "https://{config.host}/{config.tenant}/ask" } }] },
    ],
  };
  const tenant = { key: "tenant", stringValue: "a/b" };
  expect(pageOf({ configVariables: [tenant] }, version)).toBe("https://live.example/a%2Fb/ask");
  expect(pageOf({ configVariables: [tenant, { key: "host", stringValue: "test.example" }] }, version)).toBe(
    "https://test.example/a%2Fb/ask",
  );
  expect(pageOf({}, {})).toBeNull();
});
