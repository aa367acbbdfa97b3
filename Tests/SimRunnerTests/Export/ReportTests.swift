import Foundation
import Link
import Testing

@testable import Simulator
@testable import TraceTools

@Suite struct ReportTests {
  /// The data that a page carries.
  private func data(_ page: String) throws -> [String: Any] {
    let rest = try #require(page.components(separatedBy: "id=\"data\">").dropFirst().first)
    let text = try #require(rest.components(separatedBy: "</script>").first)
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// A column as the page reads it.
  private func column(_ table: Any?, _ name: String) throws -> [Int64] {
    let text = try #require((table as? [String: Any])?[name] as? String)
    let bytes = [UInt8](try #require(Data(base64Encoded: text)))
    var (values, value, place): ([Int64], Int64, Int) = ([], 0, 0)
    while place < bytes.count {
      var (sum, shift): (UInt64, UInt64) = (0, 0)
      repeat {
        sum |= UInt64(bytes[place] & 127) << shift
        shift += 7
        place += 1
      } while bytes[place - 1] & 128 != 0
      value += Int64(sum >> 1) ^ -Int64(sum & 1)
      values.append(value)
    }
    return values
  }

  @Test func `columns come back as they went in`() throws {
    var column = ReportColumn()
    let values: [Int64] = [0, 5, 5, -3, 1 << 40, -(1 << 52), 1 << 52, 7]
    for value in values { column.append(value) }
    #expect(column.count == values.count)
    #expect(try self.column(["x": column.text], "x") == values)
    // A number that JavaScript cannot hold is cut, and what follows it is right again.
    var large = ReportColumn()
    large.append(.max)
    large.append(1)
    #expect(try self.column(["x": large.text], "x") == [1 << 52, 1])
  }

  @Test func `a page carries every frame and every fate of its trace`() throws {
    let fixture = try TraceFixture.shared.get()
    let counts = try TraceCounts(fixture.text)
    let data = try data(try Exported(fixture.text, as: "html").text)
    let frames = try #require(data["frames"] as? [String: Any])
    let fates = try #require(data["fates"] as? [String: Any])
    #expect(frames["n"] as? Int == counts.count("frame.sent"))
    #expect(fates["n"] as? Int == counts.count("frame.delivered") + counts.count("frame.dropped"))
    let causes = try #require(data["causes"] as? [String])
    let told = try column(fates, "cause")
    #expect(told.count { $0 != 0 } == counts.count("frame.dropped"))
    for cause in ["loss", "disconnected"] {
      let place = Int64(try #require(causes.firstIndex(of: cause)))
      let lost = counts.objects.count { $0["cause"] as? String == cause && $0["event"] as? String == "frame.dropped" }
      #expect(told.count { $0 == place } == lost)
    }
    let times = try column(frames, "t")
    let sent = counts.objects.filter { $0["event"] as? String == "frame.sent" }
    #expect(times == sent.map { ($0["t"] as? Int64 ?? -1) / 1_000 })
    #expect(
      try column(frames, "line").map(Int.init)
        == sent.indices.map { index in
          counts.objects.enumerated().filter { $0.element["event"] as? String == "frame.sent" }[index].offset + 2
        })
    let heard = try #require(data["heard"] as? [String: Any])
    #expect(heard["n"] as? Int == counts.count("snapshot.fresh"))
  }

  @Test func `a decision is in words, with its line of the trace as it is`() throws {
    let fixture = try TraceFixture.shared.get()
    let data = try data(try Exported(fixture.text, as: "html").text)
    let lines = String(decoding: fixture.text, as: UTF8.self).split(separator: "\n")
    let rows = try #require(data["instants"] as? [[Any]])
    #expect(!rows.isEmpty)
    for row in rows {
      let (words, line, raw) = (row[2] as? String, try #require(row[3] as? Int), try #require(row[4] as? String))
      #expect(words?.contains(/[a-zA-Z]=/) == false, "\(words ?? "")")
      let shown = raw.hasSuffix("...") ? raw.dropLast(3) : raw[...]
      #expect(lines[line - 1].hasPrefix(shown), "\(raw)")
    }
  }

  @Test func `the head has verdict, seed, digest and the command`() throws {
    let fixture = try TraceFixture.shared.get()
    let data = try data(try Exported(fixture.text, as: "html").text)
    #expect(data["verdict"] as? String == "pass")
    #expect(data["seed"] as? String == "7")
    #expect(data["digest"] as? String == fixture.outcome.traceDigest)
    #expect(data["command"] as? String == "sim-runner run check-me.json5 --seed 7")
    let bands = try #require(data["bands"] as? [[Any]])
    let faults = bands.filter { $0[0] as? String == "fault" }.map {
      ($0[3] as? String, $0[1] as? Int64, $0[2] as? Int64)
    }
    #expect(faults.count == 3)
    #expect(faults.contains { $0.0 == "disconnect" && $0.1 == 80_000_000 && $0.2 == 100_000_000 })
    #expect(bands.contains { $0[0] as? String == "liveness" && $0[3] as? String == "watch silent" })
    #expect(bands.contains { $0[0] as? String == "coach" && $0[3] as? String == "Half of it." })
  }

  @Test func `a violation names its instant`() throws {
    var lines = try TraceFixture.shared.get().lines
    let end = lines.removeLast()
    lines.append(
      #"{"t":240000000000,"node":"runner","event":"violation","invariant":"play-once","t0":81000000000,"#
        + #""detail":"twice <b>\"said\"</b>","lines":[3,4]}"#)
    lines.append(end.replacingOccurrences(of: "\"pass\"", with: "\"fail\""))
    let page = try Exported(Array(lines.fileText.utf8), as: "html").text
    let data = try data(page)
    #expect(data["verdict"] as? String == "fail")
    let violation = try #require((data["violations"] as? [[Any]])?.first)
    #expect(violation[0] as? String == "play-once" && violation[1] as? Int64 == 81_000_000)
    #expect(violation[2] as? String == "twice <b>\"said\"</b>")
    #expect((violation[3] as? [[Any]])?.map { $0[0] as? Int } == [3, 4])
    #expect(!page.contains("<b>\\\"said"))
  }

  @Test func `a truncated trace is shown with a notice`() throws {
    let text = try TraceFixture.shared.get().text
    let cut = Array(text.prefix(text.count / 2))
    let exported = try Exported(cut, as: "html")
    let data = try data(exported.text)
    #expect(data["verdict"] as? String == "unknown")
    #expect((data["notices"] as? [String])?.contains { $0.contains("truncated") } == true)
    #expect(exported.notices.contains { $0.contains("truncated after line") })
  }

  @Test func `a page fetches nothing and cannot be broken out of`() throws {
    let trace = HandTrace.bytes(
      [
        #"{"t":0,"node":"phone","event":"</script><script>alert(1)</script>","x":"<!-- \u2028 ]]> </script>"}"#,
        #"{"t":1,"node":"runner","event":"violation","invariant":"</script>","t0":1,"detail":"<img>","lines":[2]}"#,
      ], scenario: "</title><script>")
    let page = try Exported(trace, as: "html").text
    #expect(page.components(separatedBy: "</script>").count == 3, "two scripts, each ended once")
    #expect(!page.contains("alert(1)</"))
    #expect(!page.contains("<img"))
    #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;"))
    // The name of the drawing's elements is no address that anything is fetched from.
    let rest = page.replacing("http://www.w3.org/2000/svg", with: "")
    for word in ["http://", "https://", "src=", "@import", "url(", "fetch(", "XMLHttpRequest", "WebSocket"] {
      #expect(!rest.contains(word), "\(word)")
    }
  }

  @Test func `a stretch holds what lies in it`() throws {
    let fixture = try TraceFixture.shared.get()
    var window = ExportWindow()
    window.from = .start + .seconds(70)
    window.to = .start + .seconds(90)
    let data = try data(try Exported(fixture.text, as: "html", window: window).text)
    let times = try column(data["frames"], "t")
    #expect(!times.isEmpty && times.allSatisfy { (70_000_000...90_000_000).contains($0) })
    let bands = try #require(data["bands"] as? [[Any]])
    #expect(bands.allSatisfy { ($0[1] as? Int64 ?? 0) >= 70_000_000 && ($0[2] as? Int64 ?? 0) <= 90_000_000 })
    #expect(bands.contains { $0[0] as? String == "watchState" })
  }

  @Test func `a browser draws it, and says how soon`() throws {
    guard let browser = Installed.path("chromium", "chromium-browser", "google-chrome") else {
      print("skipped: no Chromium is installed")
      return
    }
    let folder = try TemporaryFolder()
    let fixture = try TraceFixture.shared.get()
    let page = try folder.write("r.html", try Exported(fixture.text, as: "html").bytes)
    let words = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path("profile"))",
      "--virtual-time-budget=2000", "--dump-dom", "file://\(page)",
    ]
    let dom = try #require(try Installed.output(browser, words))
    let attribute = try #require(dom.components(separatedBy: "data-ready-ms=\"").dropFirst().first)
    #expect(Int(attribute.prefix { $0.isNumber }) != nil)
    #expect(dom.contains("<title>check-me, seed 7: pass</title>"))
    let rows = dom.components(separatedBy: "class=\"row ").count - 1
    let told = try #require(
      try data(String(decoding: Exported(fixture.text, as: "html").bytes, as: UTF8.self))["story"])
    #expect(rows == (told as? [Any])?.count)
    #expect(dom.contains("aria-label=\"Timeline of the run, "))
  }

  @Test func `metrics are lines in a page so narrow that a pixel is many seconds`() throws {
    guard let browser = Installed.path("chromium", "chromium-browser", "google-chrome") else {
      print("skipped: no Chromium is installed")
      return
    }
    let folder = try TemporaryFolder()
    // Counts the pieces of the lines that show what the watch published: no others are that thick.
    let counting = """
      <style>body { max-width: 102px !important; padding: 0 !important }</style><script>
      const pen = CanvasRenderingContext2D.prototype, all = document.documentElement.dataset; let pieces = 0;
      const { beginPath, lineTo, stroke } = pen;
      pen.beginPath = function () { pieces = 0; beginPath.call(this) };
      pen.lineTo = function (x, y) { pieces++; lineTo.call(this, x, y) };
      pen.stroke = function () {
        if (this.lineWidth === 2.5) all.pieces = Math.max(pieces, all.pieces || 0);
        stroke.call(this);
      };
      </script></head>
      """
    let text = try Exported(try TraceFixture.shared.get().text, as: "html").text
    let page = try folder.write("r.html", [UInt8](text.replacing("</head>", with: counting, maxReplacements: 1).utf8))
    let words = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path("profile"))",
      "--virtual-time-budget=2000", "--dump-dom", "file://\(page)",
    ]
    let dom = try #require(try Installed.output(browser, words))
    let counted = try #require(dom.components(separatedBy: "data-pieces=\"").dropFirst().first)
    // 24 columns remain beside the labels, and the watch pauses for some of them.
    #expect(try #require(Int(counted.prefix { $0.isNumber })) > 12)
  }
}
