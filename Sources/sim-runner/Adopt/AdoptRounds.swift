import Console
import Foundation

/// Compiles an adopted package until it is whole: what is missing is added, stubbed, or what needs it is left out.
struct AdoptRounds {
  /// An error of the compiler.
  struct Problem: Equatable {
    /// In the package.
    var path: String
    /// From 1.
    var line: Int
    /// From 1.
    var column = 1
    var text: String
  }

  private static let roundsMax = 24
  /// From this round on nothing is added any more.
  private static let addingMax = 16

  var package: AdoptedPackage
  /// Says what happens.
  let say: (String) -> Void

  mutating func run() throws(Failure) {
    for index in package.devices.indices {
      try compile(index, isWhole: false)
      let plan = package.devices[index].plan
      guard plan.chosen.contains(where: { plan.sources[$0]?.imports.contains("WatchConnectivity") == true }) else {
        let why = plan.leftOut.filter { plan.sources[$0.path]?.imports.contains("WatchConnectivity") == true }
        let list = why.map { "\($0.path): \($0.why)" }
        throw .problems(
          ["adopt: no file of the \(plan.role.rawValue)'s app that uses WatchConnectivity compiles here:"] + list)
      }
      package.devices[index].objects = plan.objects
      try compile(index, isWhole: true)
    }
  }

  private mutating func compile(_ index: Int, isWhole: Bool) throws(Failure) {
    let target = package.target(package.devices[index].plan.role)
    for round in 1...Self.roundsMax {
      try package.write()
      let plan = package.devices[index].plan
      let (status, output) = try Self.swift(["build", "--target", target], in: package.folder)
      if status == 0 { return }
      let problems = Self.problems(output, in: package.folder).filter { $0.path.hasPrefix("Sources/\(target)/") }
      guard !problems.isEmpty else {
        for line in output.split(separator: "\n").suffix(12) { say("  \(line)") }
        throw .environment("adopt: the package in \(package.folder) does not build, and no file of the app is why")
      }
      say(
        "  \(target): round \(round): \(plan.chosen.count) files, \(problems.count) "
          + (problems.count == 1 ? "error" : "errors"))
      try solve(problems, index, canAdd: round <= Self.addingMax)
    }
    throw .environment(
      "adopt: \(target) does not compile after \(Self.roundsMax) rounds: swift build in \(package.folder) says why")
  }

  /// The app's file of each copy.
  private func origins() -> [String: String] {
    Dictionary(package.files.files.map { ($0.to, $0.from) }) { first, _ in first }
  }

  private mutating func solve(_ problems: [Problem], _ index: Int, canAdd: Bool) throws(Failure) {
    let origins = origins()
    var (hasAdded, refused): (Bool, [String: [Problem]]) = (false, [:])
    var lines: [Int: String] = [:]
    for problem in problems {
      let name = problem.path.split(separator: "/").last.map(String.init) ?? ""
      if name == "main.swift", origins[problem.path] == nil {
        lines[problem.line - AdoptedPackage.mainHeadLines - 1] = problem.text
        continue
      }
      if canAdd, addOptional(problem, index, in: origins[problem.path]) {
        hasAdded = true
      } else if canAdd, add(problem.text, index, in: origins[problem.path]) {
        hasAdded = true
      } else if let path = origins[problem.path] {
        refused[path, default: []].append(problem)
      }
    }
    if !lines.isEmpty || !hasAdded, package.devices[index].language.mode > 5 {
      // Wristwire's modules do not say of everything what Apple's do: in Swift 5 that is a warning.
      package.devices[index].language.mode = 5
      package.devices[index].otherMode = problems.first.map { "\($0.path):\($0.line): \($0.text)" }
      return
    }
    for (line, why) in lines.sorted(by: { $0.key > $1.key })
    where package.devices[index].objects?.lines.indices.contains(line) == true {
      package.devices[index].objects?.remove(line, why: why)
      hasAdded = true
    }
    guard !hasAdded else { return }
    guard !refused.isEmpty else {
      let first = problems.first.map { "\(package.folder)/\($0.path):\($0.line): \($0.text)" } ?? ""
      throw .input("adopt: a file that is not the app's does not compile: \(first)")
    }
    for (path, problems) in refused.sorted(by: { $0.key < $1.key }) {
      package.devices[index].plan.leaveOut(path, for: problems)
    }
    if package.devices[index].objects != nil {
      package.devices[index].objects = package.devices[index].plan.objects
    }
  }

  /// Makes a stub's member that is bound by `if let` one that may be missing; false for another error.
  private mutating func addOptional(_ problem: Problem, _ index: Int, in path: String?) -> Bool {
    guard problem.text.hasPrefix("initializer for conditional binding must have Optional type, not 'StubMember'"),
      let source = path.flatMap({ package.devices[index].plan.sources[$0] })
    else { return false }
    let lines = source.text.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.indices.contains(problem.line - 1) else { return false }
    return package.devices[index].stubs.addOptional(boundBy: String(decoding: lines[problem.line - 1], as: UTF8.self))
  }

  /// Adds what an error misses; false if there is nothing to add.
  private mutating func add(_ text: String, _ index: Int, in path: String?) -> Bool {
    let names = text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    if text.hasPrefix("cannot find "), text.contains(" in scope"), let name = names.first {
      let plan = package.devices[index].plan
      // It is there, but not where the error is.
      guard !plan.chosen.contains(where: { plan.sources[$0]?.declared.contains(name) == true }) else { return false }
      if let path = plan.declarer(of: name) {
        package.devices[index].plan.add(path)
        return true
      }
      return package.devices[index].stubs.add(name, for: plan) || package.devices[index].stubs.kinds[name] != nil
    }
    if text.contains(" has no member "), names.count >= 2 {
      let type = String(names[0].prefix { $0 != "<" && $0 != "." && $0 != "?" })
      if let path = package.devices[index].plan.extender(of: type, member: names[1]) {
        package.devices[index].plan.add(path)
        return true
      }
      // An extension that was added for another error of this round has it.
      guard !package.devices[index].plan.extends(type, with: names[1]) else { return false }
      let isOfType = text.hasPrefix("type ")
      let imports = path.flatMap { package.devices[index].plan.sources[$0]?.imports } ?? []
      return package.devices[index].stubs.add(
        names[1], ofType: names[0], isStatic: isOfType, imports: imports, for: package.devices[index].plan)
    }
    return false
  }

  /// The compiler's errors in its output, each once.
  static func problems(_ output: String, in folder: String) -> [Problem] {
    var problems: [Problem] = []
    for line in output.split(separator: "\n") {
      guard line.hasPrefix("/"), let mark = line.range(of: ": error: ") else { continue }
      let place = line[..<mark.lowerBound].split(separator: ":")
      guard place.count >= 3, let number = Int(place[place.count - 2]), let column = Int(place[place.count - 1]) else {
        continue
      }
      var path = place.dropLast(2).joined(separator: ":")
      guard let start = path.range(of: folder + "/") else { continue }
      path = String(path[start.upperBound...])
      let problem = Problem(path: path, line: number, column: column, text: String(line[mark.upperBound...]))
      if !problems.contains(problem) { problems.append(problem) }
    }
    return problems
  }

  /// Runs `swift`, for half an hour at most; its output and errors in one.
  static func swift(_ arguments: [String], in folder: String) throws(Failure) -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swift"] + arguments
    process.currentDirectoryURL = URL(filePath: folder)
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    do { try process.run() } catch {
      throw .environment("adopt: swift cannot be started: \(error.systemText)")
    }
    let limit = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 1800, execute: limit)
    let data = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
    process.waitUntilExit()
    limit.cancel()
    guard process.terminationStatus != 127 else {
      throw .environment("adopt: found no swift in PATH, expected that of Swift 6.3")
    }
    return (process.terminationStatus, String(decoding: data ?? Data(), as: UTF8.self))
  }
}
