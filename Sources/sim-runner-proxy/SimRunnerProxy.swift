import Foundation
import Link
import LinkTransport

/// `sim-runner-proxy URL`: the edge node that `sim-runner run --proxy URL` starts.
///
/// A program of its own, because only it needs an HTTP client, which every other process would load at its start.
@main enum SimRunnerProxy {
  static func main() {
    guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]), url.host() != nil else {
      fail("usage: sim-runner-proxy URL, as `sim-runner run --proxy URL` starts it", status: 2)
    }
    do {
      let client = try NodeClient(NodeEnvironment(role: .edge), name: "sim-runner-proxy")
      // Nothing of the scenario is needed: the proxy's answers depend on the requests alone.
      _ = try client.join()
      let proxy = ProxyClient(url)
      var keeper = try NodeKeeper(store: PlainStore(MemorySessionStore()), files: NoFiles()) { _, _ in ProxyNode(proxy)
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

  private static func fail(_ text: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("sim-runner-proxy: \(TerminalText.escape(text))\n".utf8))
    exit(status)
  }
}
