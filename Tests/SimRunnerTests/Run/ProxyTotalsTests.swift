import Foundation
import Link
import LinkTestSupport
import Testing

/// Daily totals posted to a real HTTP server on this machine, of the form that such servers have outside.
@Suite(.enabled(if: Installed.path("python3") != nil, "python3 is missing")) struct ProxyTotalsTests {
  /// A server of flat days: it ignores keys that it does not know, and a key that is missing counts as 0.
  ///
  /// The first posts meet what the words say: `late` stores the days and drops the answer, `unnamed` answers 200 without
  /// naming a day, `zero` stores days of zeros as a server does that looks for other keys.
  private static let server = """
    import datetime, http.server, json, sys, threading, urllib.parse
    words, store, log = json.loads(sys.argv[1]), {}, open(sys.argv[2], "w")
    keys = ["calories", "protein", "carbs", "fat", "nutrition_entries", "steps", "active_calories"]
    def average(key, days): return round(sum(day[key] for day in days) / len(days)) if days else 0
    class Handler(http.server.BaseHTTPRequestHandler):
      def answer(self, status, value):
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
      def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        # The coach's questions; this server knows totals only.
        if self.path != "/insights/sync": return self.send_error(404)
        word = (words.pop(0) if len(words) > 1 else words[0]) if words else "200"
        if word in ("200", "late", "zero"):
          for day in body["days"]:
            store[day["date"]] = {key: 0 if word == "zero" else day.get(key, 0) for key in keys}
        log.write(json.dumps({"word": word, "body": body, "store": store}) + "\\n")
        log.flush()
        if word == "late": return self.connection.close()
        dates = [] if word == "unnamed" else [day["date"] for day in body["days"]]
        if word == "html": return self.answer(200, b"<html>")
        self.answer(500 if word == "500" else 200, {"status": "synced", "dates_synced": dates, "count": len(dates)})
      def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        span = {"week": 7, "month": 30, "quarter": 90}[urllib.parse.parse_qs(url.query)["range"][0]]
        if url.path != "/insights/context": return self.send_error(404)
        first = (datetime.date.today() - datetime.timedelta(days=span)).isoformat()
        days = [day for date, day in store.items() if first <= date <= datetime.date.today().isoformat()]
        fed, moved = [day for day in days if day["calories"]], [day for day in days if day["steps"]]
        answer = {"avg_" + key: average(key, fed) for key in ["calories", "protein", "carbs", "fat"]}
        answer |= {"period_days": len(days), "nutrition_days": len(fed), "avg_steps": average("steps", moved)}
        self.answer(200, answer)
      def log_message(self, *words): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    # It ends with the test, however that ends.
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    """

  /// Noon of the day before yesterday, so that all days are over by the clock of this machine, in whatever zone.
  private static var startedAt: String {
    let day = Date(timeIntervalSinceNow: -2 * 86_400).formatted(.iso8601.year().month().day())
    return "\(day)T12:00:00Z"
  }

  private static let scenario = """
    {
      scenario: "totals", duration: "40s", uplink: { profile: "ideal" }, startedAt: "\(startedAt)",
      workout: { source: { model: { distance: 100, pace: "1:30/km" } } },
      phone: {
        daily: { meals: 0 },
        events: [
          { at: "2s", do: "logMeal", name: "Porridge", calories: 350, protein: 12, carbs: 60, fat: 7 },
          { at: "3s", do: "logMeal", name: "Secret sandwich", calories: 640, protein: 31 },
          { at: "4s", do: "syncDaily" },
          { at: "20s", do: "removeMeal" },
          { at: "21s", do: "logMeal", name: "Cake", calories: 500, protein: 5, ago: "1s" },
          { at: "21500ms", do: "editMeal", calories: 400, fat: 20 },
          { at: "22s", do: "syncDaily" },
        ],
      },
    }
    """

  /// A run against the server, what the server was posted, and the trace.
  private func run(
    _ words: String, time: String = "2x"
  ) throws -> (run: Tool.Result, asked: [[String: Any]], log: String, trace: String) {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.scenario.utf8).write(to: folder.appending(path: "s.json5"))
    try Data(Self.server.utf8).write(to: folder.appending(path: "server.py"))
    let server = try PythonServer(folder.appending(path: "server.py"), [words, folder.appending(path: "log").path()])
    defer { server.stop() }
    let run = try Tool(
      [
        "run", "s.json5", "--time", time, "--proxy", "http://127.0.0.1:\(server.port)", "--trace", "t.jsonl", "--json",
      ],
      in: folder
    ).finish()
    let log = try String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
    let asked = try log.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    return (run, asked, log, try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8))
  }

  @Test(.timeLimit(.minutes(3)))
  func `errors, lost answers and repetitions change no total, and no meal leaves the phone`() throws {
    let (run, asked, log, trace) = try run(#"["200", "late", "500", "html", "unnamed", "200"]"#)
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(asked.compactMap { $0["word"] as? String }.prefix(5) == ["200", "late", "500", "html", "unnamed"])
    // The keys of the form, and nothing of a meal.
    #expect(!log.contains("sandwich") && !log.contains("Porridge") && !log.contains("Cake"))
    let days = asked.flatMap { ($0["body"] as? [String: Any])?["days"] as? [[String: Any]] ?? [] }
    let known: Set = [
      "date", "calories", "protein", "carbs", "fat", "nutrition_entries", "steps", "active_calories", "weight_lbs",
      "sleep_hours", "hrv_ms", "revision",
    ]
    #expect(!days.isEmpty && days.allSatisfy { Set($0.keys).isSubset(of: known) }, "\(days)")
    // Pounds: the athlete has 50 to 110 kg.
    let pounds = days.compactMap { $0["weight_lbs"] as? Double }
    #expect(!pounds.isEmpty && pounds.allSatisfy { (110...245).contains($0) }, "\(pounds)")
    // What was stored before its answer was lost is posted again, and counts once.
    let stored = asked.filter { $0["word"] as? String == "late" || $0["word"] as? String == "200" }
    #expect(stored.count >= 3)
    let last = try #require(stored.last?["store"] as? [String: [String: Int]])
    let meals = ["calories": 750, "protein": 17, "carbs": 60, "fat": 27, "nutrition_entries": 2]
    #expect(last.values.contains { day in meals.allSatisfy { day[$0.key] == $0.value } }, "\(last)")
    #expect(trace.contains("\"event\":\"daily.synced\"") && trace.contains("\"event\":\"edge.context\""))
    #expect(trace.contains("does not name"))
  }

  @Test(.timeLimit(.minutes(3)))
  func `a server that answers 200 and stores zeros is a violation, in faster time too`() throws {
    let (run, _, _, trace) = try run(#"["zero"]"#, time: "10x")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(trace.contains("the server has meals of 0 days, and 1 were posted"), "\(run.output)")
  }
}
