import CoachProtocol
import Foundation
import Link
import LinkTransport

/// `sim-runner-proxy URL PACE`: the edge node that `sim-runner run --proxy URL` starts; `PACE` is 1 in real time.
///
/// A program of its own, because only it needs an HTTP client, which every other process would load at its start.
@main enum SimRunnerProxy {
  static func main() {
    let words = CommandLine.arguments
    guard words.count == 3, let url = URL(string: words[1]), url.host() != nil, let pace = Double(words[2]), pace > 0
    else {
      fail("usage: sim-runner-proxy URL PACE, as `sim-runner run --proxy URL` starts it", status: 2)
    }
    do {
      let client = try NodeClient(NodeEnvironment(role: .edge), name: "sim-runner-proxy")
      // Nothing of the scenario is needed: the proxy's answers depend on the requests alone.
      _ = try client.join()
      let proxy = ProxyClient(url)
      var keeper = try NodeKeeper(store: PlainStore(MemorySessionStore()), files: NoFiles()) { _, _ in
        ProxyNode(proxy, pace: pace, today: Self.today)
      }
      var writer = TraceWriter()
      _ = try client.run(&keeper) { event, bytes in
        writer.append(event, to: &bytes)
        bytes.removeLast()
      }
    } catch {
      fail("\(error)", status: 3)
    }
  }

  /// The day by the machine's clock and time zone.
  @Sendable private static func today() -> LocalDay {
    let now = Date.now
    return LocalDay(
      clock: Int64(now.timeIntervalSince1970 * 1e9), offset: Int64(TimeZone.current.secondsFromGMT(for: now)))
  }

  private static func fail(_ text: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("sim-runner-proxy: \(TerminalText.escape(text))\n".utf8))
    exit(status)
  }
}
