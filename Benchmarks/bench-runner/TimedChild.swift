import Console
import Foundation
import LinkTransport
import Simulator

/// A child process that runs to its end.
enum TimedChild {
  /// Runs a program and drops its output.
  ///
  /// - Returns: Its processor time in seconds, with that of the children it waited for.
  /// - Throws: If it does not end with status 0.
  @discardableResult
  static func run(_ words: [String]) throws(Failure) -> Double {
    let before = childrenSeconds
    do throws(SystemCallError) {
      try end(of: ChildProcess(words, output: .nowhere), words)
    } catch {
      throw .environment("bench: \(error)")
    }
    return childrenSeconds - before
  }

  /// Runs several programs at once, drops their output, and waits for all of them.
  static func runTogether(_ programs: [[String]]) throws(Failure) {
    do throws(SystemCallError) {
      var children: [ChildProcess] = []
      for words in programs { children.append(try ChildProcess(words, output: .nowhere)) }
      for (child, words) in zip(children, programs) { try end(of: child, words) }
    } catch {
      throw .environment("bench: \(error)")
    }
  }

  /// Runs this program as the other end, and returns the numbers that it wrote to descriptor 3.
  ///
  /// - Parameter noun: What gives the numbers, for the message if there are not `count`.
  static func numbers(_ count: Int, of noun: String, _ words: [String]) throws(Failure) -> [Double] {
    let text = try output([ProcessRun.ownPath, BenchPeerCommand.name] + words)
    let numbers = text.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == count else { throw .environment("bench: \(noun) gave no figures") }
    return numbers
  }

  /// Writes the seconds since an instant and the peak memory in KiB to descriptor 3.
  static func report(since begin: ContinuousClock.Instant) throws(Failure) {
    Terminal.write("\(begin.secondsSince) \(try ProcessMemory.peak())", to: 3)
  }

  /// Runs a program and returns what it wrote to descriptor 3.
  ///
  /// - Throws: If it does not end with status 0.
  static func output(_ words: [String]) throws(Failure) -> String {
    do throws(SystemCallError) {
      let (text, child) = try listen(to: words)
      try end(of: child, words)
      return text
    } catch {
      throw .environment("bench: \(error)")
    }
  }

  /// Runs a program and returns what it wrote to standard output and error, whatever its status is.
  static func allOutput(_ words: [String]) throws(SystemCallError) -> String {
    let (text, child) = try listen(to: ["sh", "-c", "exec \"$@\" >&3 2>&3", "sh"] + words)
    try? end(of: child, words)
    return text
  }

  private static func listen(to words: [String]) throws(SystemCallError) -> (text: String, child: ChildProcess) {
    let pair = try BarePair()
    let child = try ChildProcess(words, descriptors: [pair.second])
    pair.closeSecond()
    let end = BareEnd(pair.transferFirst())
    var text: [UInt8] = []
    while let bytes = try end.receiveSome() { text += bytes }
    return (String(decoding: text, as: UTF8.self), child)
  }

  /// Blocks until the child's end: polling would cost more than a start takes.
  private static func end(of child: ChildProcess, _ words: [String]) throws(SystemCallError) {
    var information = siginfo_t()
    while waitid(P_PID, id_t(child.process), &information, WEXITED | WNOWAIT) != 0 {
      guard errno == EINTR, !StopSignal.isRaised else { throw SystemCallError("waitid", errno) }
    }
    guard child.poll() == .exited(0) else { throw SystemCallError("a child", ECHILD, on: words.joined(separator: " ")) }
  }

  private static var childrenSeconds: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(seconds) + Double(microseconds) / 1e6
  }
}
