import Foundation
import Link
import LinkTestSupport
import Testing

/// Daily totals posted to a real HTTP server on this machine.
@Suite struct ProxyTotalsTests {
  /// An insights server: upserts days by revision.
  ///
  /// The first requests meet what the words say; `late` stores the days and drops the answer.
  private static let server = """
    import http.server, json, sys, threading
    words, store, log = json.loads(sys.argv[1]), {}, open(sys.argv[2], "w")
    class Handler(http.server.BaseHTTPRequestHandler):
      def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        # The coach's questions; this server knows totals only.
        if self.path != "/insights/sync": return self.send_error(404)
        word = words.pop(0) if words else "200"
        if word in ("200", "late"):
          for day in body["days"]:
            if store.get(day["date"], {"revision": 0})["revision"] < day["revision"]: store[day["date"]] = day
        log.write(json.dumps({"word": word, "body": body, "store": store}) + "\\n")
        log.flush()
        if word == "late": return self.connection.close()
        data = json.dumps({"store": "0f0e0d0c-0b0a-4908-8706-050403020100", "days": len(store)}).encode()
        if word == "html": data = b"<html>"
        self.send_response(500 if word == "500" else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
      def log_message(self, *words): pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    # It ends with the test, however that ends.
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    """

  private static let scenario = """
    {
      scenario: "totals", duration: "40s", uplink: { profile: "ideal" },
      workout: { source: { model: { distance: 100, pace: "1:30/km" } } },
      phone: {
        daily: { meals: 0 },
        events: [
          { at: "2s", do: "logMeal", name: "Porridge", calories: 350, protein: 12 },
          { at: "3s", do: "logMeal", name: "Secret sandwich", calories: 640, protein: 31 },
          { at: "4s", do: "syncDaily" },
          { at: "20s", do: "removeMeal" },
          { at: "21s", do: "logMeal", name: "Cake", calories: 400, protein: 5, ago: "1s" },
          { at: "22s", do: "syncDaily" },
        ],
      },
    }
    """

  @Test(.timeLimit(.minutes(3)))
  func `errors, lost answers and repetitions change no total, and no meal leaves the phone`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.scenario.utf8).write(to: folder.appending(path: "s.json5"))
    try Data(Self.server.utf8).write(to: folder.appending(path: "server.py"))
    let server = try PythonServer(
      folder.appending(path: "server.py"),
      [#"["200", "late", "500", "html"]"#, folder.appending(path: "log").path()])
    defer { server.stop() }
    let run = try Tool(
      [
        "run", "s.json5", "--time", "real", "--proxy", "http://127.0.0.1:\(server.port)", "--trace", "t.jsonl",
        "--json",
      ],
      in: folder
    ).finish()
    #expect(run.status == 0, "\(run.output) \(run.errors)")

    let asked = try String(contentsOf: folder.appending(path: "log"), encoding: .utf8).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(asked.compactMap { $0["word"] as? String }.prefix(4) == ["200", "late", "500", "html"])
    // The keys of the design, and nothing of a meal.
    let text = try String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
    #expect(!text.contains("sandwich") && !text.contains("Porridge") && !text.contains("Cake"))
    let days = asked.flatMap { ($0["body"] as? [String: Any])?["days"] as? [[String: Any]] ?? [] }
    #expect(days.allSatisfy { Set($0.keys).isSubset(of: ["date", "revision", "nutrition", "health"]) })
    let meals = days.compactMap { $0["nutrition"] as? [String: Int] }
    #expect(meals.allSatisfy { Set($0.keys) == ["calories", "protein", "entry_count"] })
    // What was stored before its answer was lost is posted again, and counts once.
    let stored = asked.filter { $0["word"] as? String == "late" || $0["word"] as? String == "200" }
    #expect(stored.count >= 3)
    let last = try #require(stored.last?["store"] as? [String: [String: Any]])
    let totals = last.values.compactMap { $0["nutrition"] as? [String: Int] }
    #expect(totals == [["calories": 750, "protein": 17, "entry_count": 2]], "\(last)")
    let trace = try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8)
    #expect(trace.contains("\"event\":\"daily.synced\""))
  }
}
