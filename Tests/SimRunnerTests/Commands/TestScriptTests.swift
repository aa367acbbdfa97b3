import Foundation
import LinkTestSupport
import Testing

/// `scripts/test`, with a stand-in for `swift test` that prints what Swift Testing prints.
@Suite struct TestScriptTests {
  private static func run(_ lines: [String], status: Int32 = 0, limit: Int = 600, hangs: Bool = false) throws -> (
    status: Int32, output: String
  ) {
    let folder = try TemporaryFolder()
    let script =
      "printf '◇ Test r'\nsleep 1.5\ncat <<'END'\n" + lines.joined(separator: "\n") + "\nEND\n"
      + (hangs ? "sleep 600 & echo $! > '\(folder.path("sleeper"))'\nwait\n" : "exit \(status)\n")
    let result = try run(script: script, options: ["--filter", "S"], limit: limit, in: folder)
    if hangs {
      let text = try String(contentsOfFile: folder.path("sleeper"), encoding: .utf8)
      let sleeper = try #require(Int32(text.dropLast()))
      try waitUntil("the end of what the test had started") { kill(sleeper, 0) != 0 || isZombie(sleeper) }
    }
    return result
  }

  private static func run(script: String, options: [String], limit: Int = 600, in folder: TemporaryFolder) throws -> (
    status: Int32, output: String
  ) {
    let swift = try folder.write("swift", "#!/bin/sh\n" + script)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift)
    let output = try folder.write("out", "")
    let process = Process()
    process.executableURL = PackageRoot.url.appending(path: "scripts/test")
    process.arguments = options
    process.environment = [
      "PATH": "\(folder.url.path()):/usr/bin:/bin", "WRISTWIRE_TEST_LIMIT": String(limit), "TMPDIR": folder.url.path(),
    ]
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardError = FileHandle.nullDevice
    try process.run(killedAfter: 300)
    process.waitUntilExit()
    #expect(folder.names.filter { $0.hasPrefix("wristwire-") } == [])
    return (process.terminationStatus, try String(contentsOfFile: output, encoding: .utf8))
  }

  private static func isZombie(_ process: Int32) -> Bool {
    (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z ") ?? true
  }

  private static let others = [
    // The beginning of the first line came long before.
    "un started.", "◇ Suite S started.", "◇ Test `a b`() started.", "◇ Test `c $(d) [e]`(seed:) started.",
    "✔ Test `a b`() passed after 0.1 seconds.",
    "✔ Test `c $(d) [e]`(seed:) with 3 test cases passed after 0.1 seconds.",
    "◇ Test f() started.", "✘ Test f() failed after 0.1 seconds with 1 issue.",
  ]

  @Test(arguments: [0, 1] as [Int32])
  func `the tests' lines and their status go through`(status: Int32) throws {
    let result = try Self.run(Self.others, status: status)
    #expect(result.status == status)
    #expect(result.output == "◇ Test r" + Self.others.joined(separator: "\n") + "\n")
  }

  @Test func `a test that hangs ends the test run, and is named`() throws {
    let result = try Self.run(Self.others + ["◇ Test `hangs`() started."], limit: 3, hangs: true)
    #expect(result.status == 1)
    let ending = """
      ✘ Test `hangs`() does not end
      ✘ The test run ends here: no test has begun or ended for 3 s

      """
    #expect(result.output.hasSuffix("started.\n" + ending))
  }

  /// Which of the three processes fails, if any.
  @Test(arguments: [nil, "apps", "runner", "others"])
  func `without options three processes run the tests, and their summaries are added up`(failing: String?) throws {
    let script = """
      case "$*" in
        *'--skip ^'*) part=others count='1 test in 1 suite' ;;
        *SimRunnerTests*) part=runner count='4 tests in 2 suites' ;;
        *) part=apps count='223 tests in 25 suites' ;;
      esac
      if [ "$part" = '\(failing ?? "")' ]; then
        echo "✘ Test run with $count failed after 0.5 seconds with 2 issues (including 1 known issue)."
        exit 1
      fi
      echo "━ Test run with $count passed after 0.5 seconds with 1 known issue."
      """
    let result = try Self.run(script: script, options: [], in: TemporaryFolder())
    #expect(result.status == (failing == nil ? 0 : 1))
    let summary =
      failing == nil ? "✔ Test run with 228 tests in 28 suites passed" : "✘ Test run with 228 tests in 28 suites failed"
    #expect(result.output.split(separator: "\n").last?.hasPrefix(summary + " after ") == true, "\(result.output)")
  }
}
