import { beforeAll, expect, test, vi } from "vitest";

let route: typeof import("./route.svelte");

beforeAll(async () => {
  const store = new Map<string, string>();
  vi.stubGlobal("location", { hash: "#token=abc_-1", pathname: "/", search: "" });
  vi.stubGlobal("history", { replaceState: vi.fn() });
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
    removeItem: (key: string) => store.delete(key),
  });
  route = await import("./route.svelte");
});

test("the token is taken out of the fragment, wherever it stands", async () => {
  expect(await route.token()).toBe("abc_-1");
  expect(history.replaceState).toHaveBeenCalledWith(null, "", "/");
  expect(route.takeToken("#/play/x&token=t1")).toEqual({ token: "t1", rest: "#/play/x" });
  expect(route.takeToken("#token=t1&/play")).toEqual({ token: "t1", rest: "#/play" });
  expect(route.takeToken("#/play")).toEqual({ token: "", rest: "#/play" });
});

test("a route survives its own address", () => {
  const rest = ["a/b+c?x=1", "ü"];
  const found = route.parseRoute(route.href("book", rest, { game: "a+b&c" }));
  expect(found.place).toBe("book");
  expect(found.rest).toEqual(rest);
  expect(found.query.get("game")).toBe("a+b&c");
});

test("a damaged address opens something", () => {
  expect(route.parseRoute("#/%E0%A4%A").place).toBe("%E0%A4%A");
  expect(route.parseRoute("").place).toBe("library");
});
