import { expect, test } from "vitest";
import { marksOf } from "../src/features/simulator/evidence";
import { agentRequest, appRequest } from "../src/features/simulator/inputs";
import { after, begun } from "../src/features/simulator/live-turn";
import { lineOf, spansOf } from "../src/features/simulator/steps";

const TURN = begun({ text: "hello", language: "en" }, "key");

test("words arrive by reply", () => {
  const pieces = [
    { text: "Hel", reply: 1 },
    { text: "lo.", reply: 1 },
    { text: "Bye.", reply: 2 },
  ];
  const turn = pieces.reduce((state, piece) => after(state, { kind: "piece", piece }), TURN);
  expect(turn.replies).toEqual(["Hello.", "Bye."]);
});

test("steps that are told twice are one", () => {
  const update = { steps: [{ number: 0, user: { text: "hello" } }, { number: 1 }] };
  const turn = [update, update].reduce((state, each) => after(state, { kind: "update", update: each }), TURN);
  expect(turn.steps.map(({ number }) => number)).toEqual([0, 1]);
});

test("a retry begins its words again", () => {
  const broken = after(after(TURN, { kind: "piece", piece: { text: "Hel", reply: 1 } }), {
    kind: "failed",
    error: new Error("gone"),
  });
  expect([broken.running, after(broken, { kind: "retried" }).replies]).toEqual([false, []]);
});

test("values are marked in the sentence, once each", () => {
  const said = "add a dog named Rex owned by Jonas";
  const slots = [
    { slot: "requestBody.name", value: "Rex", words: [said], at: [0] },
    { slot: "requestBody.label", value: ["dog"], words: [said], at: [0] },
    { slot: "other", value: "Re", words: ["Re"], at: [16] },
  ];
  expect(marksOf(slots, said)).toEqual([
    { from: 6, to: 9, slot: "label" },
    { from: 16, to: 19, slot: "name" },
  ]);
});

test("the request is the one that Google's clients send", () => {
  const request = agentRequest("s", { text: "hi", language: "de", model: "m", parameters: { a: 1 } });
  expect(request).toEqual({
    session: "s",
    queryInput: { text: { text: "hi" }, languageCode: "de" },
    queryParams: { parameters: { a: 1 }, llmModelSettings: { model: "m" } },
  });
  const result = { id: "c", tool: "t", action: "a", error: "broken" };
  expect(agentRequest("s", { results: [result], language: "en" }).queryInput).toEqual({
    toolCallResult: { id: "c", tool: "t", action: "a", error: { message: "broken" } },
    languageCode: "en",
  });
  expect(appRequest("s", { text: "hi", language: "en", parameters: { a: 1 } }).inputs).toEqual([
    { variables: { a: 1 } },
    { text: "hi" },
  ]);
});

test("times keep their microseconds", () => {
  const steps = [
    { startTime: "2026-11-26T20:00:00.000100Z", endTime: "2026-11-26T20:00:00.000600Z" },
    { startTime: "2026-11-26T20:00:00.000600Z", endTime: "2026-11-26T20:00:00.002100Z" },
  ];
  const { spans, total } = spansOf(steps);
  expect(total).toBeCloseTo(2, 3);
  expect(spans[1]?.from).toBeCloseTo(0.5, 3);
});

test("a row says what a step did", () => {
  expect(lineOf({ call: { toolDisplayName: "pets", action: "getPet", arguments: { petId: 3 } } })).toEqual({
    tone: "tool",
    icon: "tool",
    name: "pets.getPet",
    gist: '{"petId":3}',
  });
  expect(lineOf({ decision: { model: "offline", calls: [{ action: "getPet" }] } }).gist).toBe("decides to call getPet");
});
