import CSystem
import Foundation
import LinkTransport

/// Starts an app many times, each as a copy of one process that has already loaded the app's libraries.
///
/// Loading and linking them takes most of a start. The virtual-time library forks the copies before any code of the app
/// sees a clock (Sources/CVirtualTime/starts.c), so a copy behaves as a program that is executed.
final class AppStarter {
  private let process: ChildProcess
  private let channel: SocketDescriptor
  /// Whether a request has failed: every further start is an ordinary one.
  private(set) var hasFailed = false

  /// How long an answer may take, in nanoseconds of real time: libraries of any size are loaded by then.
  private static let answerMax: Int64 = 20_000_000_000
  /// The variable that makes a process an app in virtual time, or the process that forks them.
  private static let mode = "WRISTWIRE_VT_CONTROLLED"

  /// Executes the process that the copies are made of.
  ///
  /// - Parameter environment: Of a start; each copy has variables of the same names.
  init(_ words: [String], environment: [(name: String, value: String)]) throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw SystemCallError("socketpair", errno)
    }
    channel = SocketDescriptor(adopting: ends[0])
    let other = SocketDescriptor(adopting: ends[1])
    // All functions are looked up once, so that no copy looks one up at its first call.
    let own = environment.map { $0.name == Self.mode ? (name: $0.name, value: "2") : $0 } + [("LD_BIND_NOW", "1")]
    process = try ChildProcess(
      words, name: AppEnvironment.name(words[0]), environment: AppEnvironment.filled(own, words: words),
      inheritsEnvironment: false,
      descriptors: [other.rawValue], output: .nowhere, hasFixedLayout: true)
  }

  /// Starts a copy.
  ///
  /// - Parameter output: An open descriptor, for standard output and standard error.
  /// - Returns: Nil if this is not possible; then the program must be executed.
  func start(environment: [(name: String, value: String)], output: Int32) -> ChildProcess? {
    guard !hasFailed else { return nil }
    var request: [UInt8] = []
    for variable in environment { request += Array("\(variable.name)=\(variable.value)".utf8) + [0] }
    var entry = cs_poll_entry(descriptor: channel.rawValue, wanted: Int16(CS_POLL_READ), ready: 0)
    guard cs_send_descriptor(channel.rawValue, request, request.count, output) == 0 else { return giveUp() }
    var left: Int32 = 0
    var answer: Int32 = 0
    repeat { left = cs_poll(&entry, 1, Self.answerMax) } while left == -EINTR
    guard left > 0, recv(channel.rawValue, &answer, 4, 0) == 4, answer > 0 else { return giveUp() }
    return ChildProcess(adopting: answer)
  }

  private func giveUp() -> ChildProcess? {
    hasFailed = true
    process.kill()
    return nil
  }
}

/// The starters of the apps of a sweep or a shrinker, which starts them again for each run.
package final class AppStarters {
  private var known: [[String]: AppStarter] = [:]

  package init() {}

  /// Starts an app as a copy; nil if that is not possible.
  func start(_ app: AppLaunch, environment: [(name: String, value: String)], output: Int32) -> ChildProcess? {
    if known[app.words] == nil { known[app.words] = try? AppStarter(app.words, environment: environment) }
    return known[app.words]?.start(environment: environment, output: output)
  }
}
