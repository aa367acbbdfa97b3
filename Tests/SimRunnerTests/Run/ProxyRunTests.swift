import Foundation
import Link
import LinkTestSupport
import Testing

/// Runs whose edge is a real HTTP server on this machine.
@Suite struct ProxyRunTests {
  /// A proxy that follows orders: of each path's words one a request, the last one again and again.
  private static let server = """
    import http.server, json, sys, threading, time
    plan = {path: list(words) for path, words in json.loads(sys.argv[1]).items()}
    answers = {
      "/v1/generate-script": {"scriptId": "from-http", "messages": [
        {"id": "hello", "triggerSpec": {"type": "distance", "atMeters": 185}, "text": "Hello over HTTP."}]},
      "/v1/chat-reply": {"replyText": "Nearly there."},
      "/v1/post-run-summary": {"summaryText": "Short and quick.", "extractedFacts": []},
    }
    class Handler(http.server.BaseHTTPRequestHandler):
      def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(sys.argv[2], "a") as log:
          log.write(json.dumps([self.path, json.loads(body), self.headers.get("Authorization")]) + "\\n")
        words = plan[self.path]
        word = words.pop(0) if len(words) > 1 else words[0]
        if word == "hang": time.sleep(60)
        if word == "drop": return self.connection.close()
        status = int(word) if word.isdigit() else 302 if word == "elsewhere" else 200
        text = json.dumps(answers[self.path])
        if word == "html": text = "<html>unavailable"
        if word == "big": text = json.dumps({"scriptId": "x" * 400000, "messages": []})
        data = text.encode()
        self.send_response(status)
        if word == "elsewhere": self.send_header("Location", "http://127.0.0.1:1/")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
      def log_message(self, *words): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    # It ends with the test, however that ends.
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    """

  private static let scenario = """
    {
      scenario: "proxy", duration: "30s",
      workout: {
        source: { model: { distance: 200, pace: "1:30/km" } }, preparing: "1s",
        events: [{ at: "2s", do: "talk", seconds: 0.5, says: "How far is it?" }],
      },
      plan: { distance: 200 }, uplink: { profile: "ideal" },
    }
    """

  @Test(.timeLimit(.minutes(2)))
  func `errors, nonsense, too much, silence and a broken line are met as from the edge, and answers are used`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.scenario.utf8).write(to: folder.appending(path: "s.json5"))
    try Data(Self.server.utf8).write(to: folder.appending(path: "server.py"))
    let plan = """
      {"/v1/generate-script": ["502", "html", "big", "200"], "/v1/chat-reply": ["hang"],
       "/v1/post-run-summary": ["drop", "elsewhere", "200"]}
      """
    let server = try PythonServer(folder.appending(path: "server.py"), [plan, folder.appending(path: "log").path()])
    defer { server.stop() }
    let run = try Tool(
      [
        "run", "s.json5", "--time", "2x", "--proxy", "http://127.0.0.1:\(server.port)/v1", "--trace", "t.jsonl",
        "--json",
      ], in: folder
    ).finish()
    #expect(run.status == 0, "\(run.output) \(run.errors)")

    let lines = try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8).split(separator: "\n")
    #expect(lines[0].contains("\"proxy\":{\"url\":\"http://127.0.0.1:\(server.port)/v1\",\"deterministic\":false}"))
    func count(_ event: String, _ parts: String...) -> Int {
      lines.count { line in line.contains("\"event\":\"\(event)\"") && parts.allSatisfy { line.contains($0) } }
    }
    let (script, summary) = ("\"kind\":\"generateScript\"", "\"kind\":\"postRunSummary\"")
    #expect(count("ai.failed", script, "status 502") == 1)
    #expect(count("ai.failed", script, "no JSON") == 1)
    #expect(count("ai.failed", script, "status 599") == 1)
    #expect(count("script.loaded", "\"source\":\"fallback\"") == 1)
    #expect(count("ai.reply", script) == 1 && count("script.loaded", "\"source\":\"edge\"", "from-http") == 1)
    // No server answers the athlete: a stock line at exactly 8 s.
    #expect(count("ai.fallback", "chatReply") == 1 && count("ai.reply", "chatReply") == 0)
    #expect(count("ai.failed", summary, "status 599") == 1 && count("ai.failed", summary, "status 302") == 1)
    #expect(count("ai.reply", summary, "Short and quick.") == 1)

    let asked = try String(contentsOf: folder.appending(path: "log"), encoding: .utf8).split(separator: "\n")
    #expect(asked.count == 8 && asked.allSatisfy { $0.hasSuffix("}, null]") })
    #expect(
      asked.count { $0.contains("/v1/chat-reply") && $0.contains("\"voiceNoteTranscript\": \"How far is it?\"") } == 1)
    #expect(asked.count { $0.contains("/v1/generate-script") && $0.contains("\"goal\": ") } == 4)
  }

  @Test(arguments: [
    (["--proxy", "http://localhost:1"], "--time real"),
    (["--proxy", "http://localhost:1", "--time", "81x"], "at most 80x"),
    (["--proxy", "localhost:8787", "--time", "real"], "http://localhost:8787"),
    (["--proxy", "ftp://localhost", "--time", "real"], "http://localhost:8787"),
    (["--proxy", "http://me:secret@localhost", "--time", "real"], "without name, password or query"),
    (["--proxy", "http://localhost/?key=1", "--time", "real"], "without name, password or query"),
    (["--proxy", "http://localhost:1", "--time", "real", "--mode", "in-process"], "--mode processes"),
    (["--proxy", "http://localhost:1", "--time", "real", "--edge-cmd", "true"], "alternatives"),
    (["--proxy", "http://localhost:1", "--time", "real"], "no edge"),
  ])
  func `what makes no sense with a proxy is refused`(words: [String], part: String) throws {
    let result = try Tool.run(["run", Tool.scenario("ordinary-10k")] + words)
    #expect(result.status == 2 && result.errors.contains(part), "\(result.errors)")
  }
}
