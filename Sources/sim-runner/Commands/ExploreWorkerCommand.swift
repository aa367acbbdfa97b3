import Experiments
import Simulator
import Console
import CSystem
import Foundation
import Link
import LinkTransport

/// `sim-runner explore-worker`: one of the processes in which a search runs its branches.
enum ExploreWorkerCommand: Command {
  static let name = CommandName.exploreWorker
  static let about = "runs placements for a search, which orders them over descriptor 3"
  static let usage = ""
  static let isHidden = true
  static let options: [Option] = []

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    _ = cs_die_with_parent(SIGKILL, 0)
    guard fcntl(3, F_GETFD) >= 0 else {
      throw .input("sim-runner \(name): found no descriptor 3, expected to be started by a search")
    }
    let channel = LineChannel(SocketDescriptor(adopting: 3))
    do throws(SystemCallError) {
      do throws(Failure) { try work(channel) } catch {
        try channel.send(ExploreMessage.Answer.gaveUp(status: error.status, text: error.text[...]).line)
      }
    } catch {
      // The search has ended, and nothing reads the results.
      return 0
    }
    return 0
  }

  private static func work(_ channel: LineChannel) throws(Failure) {
    var scenario: Scenario?
    var exploration: Exploration?
    while let line = try? channel.receive() {
      switch ExploreMessage.Order(line) {
      case .scenario(let text)?: scenario = try SweepSource(text: text).scenario
      case .scope(let scope)?:
        guard let scenario else { continue }
        var prepared = try Exploration(scenario, scope)
        _ = try prepared.runSingles()
        exploration = prepared
      case .branch(let place, let size, let stops)?:
        guard let exploration, exploration.singles.indices.contains(place) else { continue }
        let branch = try exploration.branch(place, size: size, stopsAtFailure: stops)
        do throws(SystemCallError) { try channel.send(ExploreMessage.Answer.branch(branch).line) } catch { return }
      case nil: continue
      }
    }
  }
}
