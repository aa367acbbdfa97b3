import Foundation
import Testing

/// Files that mean harm: every command ends on its own, with the status for bad input or with a verdict.
@Suite struct HostileInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let commands: [(command: String, file: String)] = [
    ("check", "x.jsonl"), ("validate", "x.json"), ("validate", "x.json5"), ("import", "x.gpx"), ("import", "x.fit"),
  ]

  private func expectRefusal(_ bytes: [UInt8], _ what: String) throws {
    for (command, file) in Self.commands {
      let child = try CommandChild.run([command, folder.write(file, bytes)])
      let said = child.output + child.errors
      #expect(child.status == 2, "\(command) \(file) of \(what): \(said.prefix(300))")
      #expect(said.contains(file), "\(command) \(file) of \(what)")
      #expect(!said.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(command) \(file) of \(what)")
      #expect(said.utf8.count < 20_000, "\(command) \(file) of \(what)")
    }
  }

  @Test(arguments: [UInt64](0..<4))
  func `noise is refused`(seed: UInt64) throws {
    var noise = TestNoise(seed: seed)
    let count = [1, 64, 5_000, 200_000][Int(seed)]
    try expectRefusal(noise.bytes(count), "noise \(seed)")
  }

  @Test(arguments: [
    ("run", "x.json5"), ("test", "x.json5"), ("validate", "x.json"), ("check", "x.jsonl"), ("replay", "x.jsonl"),
    ("export", "x.jsonl"),
  ])
  func `a compressed file is refused with the command that unpacks it`(command: String, file: String) throws {
    let path = try folder.write(file, [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3])
    let child = try CommandChild.run([command, path] + (command == "export" ? ["--format", "gpx"] : []))
    #expect(child.status == 2)
    #expect((child.output + child.errors).contains("found gzip data, expected text; to unpack it: gunzip -k \(path)"))
  }

  @Test func `nothing is refused`() throws { try expectRefusal([], "nothing") }

  @Test func `a huge line is refused`() throws {
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 2 << 20)
    try expectRefusal(letters, "a huge line")
    try expectRefusal(Array("{\"trace\":\"".utf8) + letters, "a huge header")
    // Past the longest line that is read.
    let path = try folder.write("long.jsonl", [UInt8](repeating: UInt8(ascii: " "), count: 17 << 20))
    let child = try CommandChild.run(["check", path])
    #expect(child.status == 2)
    #expect(child.errors.contains("long.jsonl:1:1: error: found a line of more than"))
  }

  @Test func `deep nesting is refused`() throws {
    for (opening, key) in [("[", ""), ("{", "\"a\":"), ("<a>", "")] {
      let text = String(repeating: opening + key, count: 200_000)
      try expectRefusal(Array(text.utf8), "nested \(opening)")
    }
    let header = try TraceFixture.shared.get().lines[0]
    let nested = String(repeating: "[", count: 100_000)
    let line = "{\"t\":1,\"node\":\"watch\",\"event\":\"snapshot\",\"epoch\":\(nested)}"
    let child = try CommandChild.run(["check", folder.write("deep.jsonl", [header, line].fileText)])
    #expect(child.status == 2)
    #expect(child.errors.contains("deep.jsonl:2:"))
  }

  @Test func `values of the wrong type are refused by validate`() throws {
    let values = ["null", "true", "-1", "1e308", "\"x\"", "[]", "[[]]", "{}"]
    for value in values {
      let path = try folder.write(
        "s.json5",
        """
        { scenario: \(value), seed: \(value), startedAt: \(value), timeZone: \(value), duration: \(value),
          workout: \(value), phone: \(value), plan: \(value), link: \(value), uplink: \(value), faults: \(value),
          memory: \(value), health: \(value), replyTimeout: \(value), expect: \(value), script: \(value) }
        """)
      let scenario = try CommandChild.run(["validate", path])
      #expect(scenario.status == 2, "\(value)")
      let script = try CommandChild.run([
        "validate",
        folder.write(
          "s.json",
          """
          { "id": \(value), "grace": \(value), "branchPolicy": \(value), "messages": [
            { "id": \(value), "triggerSpec": \(value), "text": \(value), "priority": \(value), "playOnce": \(value),
              "branchKey": \(value) } ] }
          """),
      ])
      #expect(script.status == 2, "\(value)")
      for line in scenario.lines + script.lines { #expect(line.contains(": error: "), "\(line)") }
    }
  }

  @Test func `a path in a scenario that is a device or a folder is refused`() throws {
    for script in ["/dev/zero", "/dev", ".", "", "s.json5"] {
      let child = try CommandChild.run([
        "validate", folder.write("s.json5", "{ scenario: \"x\", script: \"\(script)\" }"),
      ])
      #expect(child.status == 2, "\(script)")
    }
    for path in ["/dev/zero", "/dev"] {
      for command in ["check", "validate", "import"] {
        #expect(try CommandChild.run([command, path]).status == 2, "\(command) \(path)")
      }
    }
  }

  @Test(arguments: [UInt64](0..<24))
  func `a trace with a mad value ends in a verdict or a refusal`(seed: UInt64) throws {
    var noise = TestNoise(seed: seed &* 977)
    var lines = try TraceFixture.shared.get().lines
    let mad = [
      "0", "-1", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e308", "0.5", "null", "true",
      "\"\"", "\"x\"", "[]", "{}",
    ]
    // One line of each kind of event, one of its fields each.
    var kinds: [String] = []
    for (index, line) in lines.enumerated().dropFirst() {
      guard let name = line.split(separator: "\"event\":\"").last?.split(separator: "\"").first.map(String.init),
        !kinds.contains(name)
      else { continue }
      kinds.append(name)
      guard noise.next() % 3 == 0 else { continue }
      lines[index] = changed(line, to: mad[Int(noise.next() % UInt64(mad.count))], &noise)
    }
    let child = try CommandChild.run(["check", folder.write("mad.jsonl", lines.fileText), "--json"])
    #expect([0, 1, 2].contains(child.status), "\(child.errors.suffix(2_000))")
    if child.status == 2 { #expect(child.errors.contains("mad.jsonl:")) } else { _ = try child.object() }
  }

  /// The line with one plain value after its name replaced.
  private func changed(_ line: String, to value: String, _ noise: inout TestNoise) -> String {
    let pieces = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let plain = pieces.indices.dropFirst(3).filter { index in
      let piece = pieces[index]
      return piece.hasPrefix("\"") && piece.contains("\":") && !piece.contains("{") && !piece.contains("[")
        && !piece.contains("]") && !piece.contains("}")
    }
    guard !plain.isEmpty else { return line }
    var changed = pieces
    let place = plain[Int(noise.next() % UInt64(plain.count))]
    let key = changed[place].prefix(while: { $0 != ":" })
    changed[place] = "\(key):\(value)"
    return changed.joined(separator: ",")
  }

  @Test func `a trace of more kinds of events than there are words is counted within bounds`() throws {
    let header = try TraceFixture.shared.get().lines[0]
    let lines = (0..<3_000).map { "{\"t\":\($0),\"node\":\"watch\",\"event\":\"own.\($0)\"}" }
    let object = try CommandChild.run(["check", folder.write("t.jsonl", ([header] + lines).fileText), "--json"])
      .object()
    #expect(object["events"] as? Int == 3_000)
    #expect((object["counters"] as? [String: Int])?.count == 1_000)
  }
}
