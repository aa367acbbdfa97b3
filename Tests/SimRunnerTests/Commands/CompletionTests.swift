import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console
@testable import Commands

@Suite struct CompletionTests {
  private static func words(_ line: [String]) -> [String] {
    guard let answer = CompletionRequest(line).answer, case .words(let words) = answer.kind else { return [] }
    return words.map(\.text)
  }

  @Test func `every value and operand in the catalogue means something to a shell`() {
    for command in CommandCatalog.all {
      for option in command.options {
        guard let value = option.value else { continue }
        #expect(
          ValueKind(value, option: option.name, of: command.name) != nil, "\(command.name) \(option.name) \(value)")
      }
      guard !command.isHidden else { continue }
      for operand in CompletionRequest.operands(of: command) {
        #expect(ValueKind(operand.text, option: nil, of: command.name) != nil, "\(command.name) \(operand.text)")
      }
    }
  }

  @Test func `commands, options, and the names of every catalogue are offered where they belong`() {
    #expect(Self.words(["r"]).contains("run") && !Self.words([""]).contains("worker"))
    #expect(Self.words(["-"]).contains("--version") && Self.words(["--"]).contains("--trace"))
    #expect(Self.words(["help", ""]).contains("sweep"))
    #expect(Self.words(["sweep", "x.json5", "--"]).contains("--seeds"))
    #expect(Self.words(["run", "--plant", ""]) == PlantCatalog.all.map(\.name))
    #expect(Self.words(["faults", ""]) == FaultCatalog.all.map { $0.kind })
    #expect(Self.words(["profiles", ""]) == ProfileCatalog.all.map(\.name))
    #expect(Self.words(["shrink", "x.json5", "--invariant", ""]) == InvariantsCommand.all.map { $0.invariant })
    #expect(Self.words(["demo", ""]) == ["demo", "day"])
    #expect(Self.words(["run", "--mode", ""]) == ["processes", "in-process"])
    #expect(Self.words(["run", "--time", ""]) == ["virtual", "real"])
    #expect(Self.words(["export", "--format", ""]).contains("perfetto"))
    #expect(Self.words(["completions", ""]) == ["bash", "zsh", "fish"])
    #expect(Self.words(["ctl", "socket", ""]).contains("status"))
  }

  @Test func `files are offered by what the command reads`() {
    #expect(CompletionRequest(["run", ""]).answer?.kind == .files(["json5"]))
    #expect(CompletionRequest(["check", "--json", "t"]).answer?.kind == .files(["jsonl"]))
    #expect(CompletionRequest(["diff", "a.jsonl", ""]).answer?.kind == .files(["jsonl"]))
    #expect(CompletionRequest(["test", "a.json5", "b.json5", ""]).answer?.kind == .files(["json5"]))
    #expect(CompletionRequest(["merge", ""]).answer?.kind == .files(["jsonl"]))
    #expect(CompletionRequest(["run", "x.json5", "--state-dir", ""]).answer?.kind == .folder)
    #expect(CompletionRequest(["run", "x.json5", "--report", ""]).answer?.kind == .files([]))
  }

  @Test func `what cannot be known is left to the user`() {
    #expect(CompletionRequest(["run", "x.json5", "more", ""]).answer == nil)
    #expect(CompletionRequest(["nonsense", ""]).answer == nil)
    #expect(CompletionRequest(["run", "--nonsense=", ""]).answer?.kind == .files(["json5"]))
    #expect(CompletionRequest(["run", "--nonsense=x"]).answer == nil)
    #expect(CompletionRequest(["sweep", "--seeds", ""]).text(hasPrefix: true).isEmpty)
    #expect(CompletionRequest([]).answer?.kind == .words(ValueKind.commands))
  }

  @Test func `a value behind its sign is offered with or without the option, as the shell replaces it`() {
    let whole = CompletionRequest(["run", "--mode=in"]).text(hasPrefix: true)
    #expect(whole == "word\t--mode=processes\nword\t--mode=in-process\n")
    let value = CompletionRequest(["run", "--mode", "=", "in"]).text(hasPrefix: false)
    #expect(value == "word\tprocesses\nword\tin-process\n")
    #expect(CompletionRequest(["run", "--mode", "="]).text(hasPrefix: false) == value)
  }

  @Test func `a shell that there is no script for is refused`() throws {
    let result = try Tool.run(["completions", "tcsh"])
    #expect(result.status == 2 && result.errors.contains("found \"tcsh\", expected one of bash, zsh, fish"))
  }
}

/// Real shells, with somebody typing.
@Suite(.serialized) struct ShellCompletionTests {
  /// How a shell is started without its user's settings, and loads the script.
  private static let shells: [(shell: CompletionScript, start: String, load: String)] = [
    (.bash, "bash --norc --noprofile -i", "source <(sim-runner completions bash)"),
    (
      .zsh, "zsh -f -i",
      "mkdir f; sim-runner completions zsh > f/_sim-runner; fpath=($PWD/f $fpath); autoload -Uz compinit; compinit -D -u"
    ),
    (.fish, "fish --no-config", "sim-runner completions fish | source"),
  ]

  @Test(arguments: shells.map(\.shell))
  func `Tab completes a command, a name, a value behind its sign, and a scenario's file`(shell: CompletionScript) throws
  {
    guard Installed.path(shell.rawValue) != nil else {
      print("skipped: \(shell.rawValue) is not installed")
      return
    }
    let setting = try #require(Self.shells.first { $0.shell == shell })
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["tunnel-one.json5", "other.json5", "tunnel.txt"] {
      try Data("{ scenario: \"x\" }".utf8).write(to: folder.appending(path: name))
    }
    let path = URL(filePath: Tool.path).deletingLastPathComponent().path()
    guard
      let window = try TerminalWindow(
        folder, columns: 120, shell: "env PATH='\(path)':\"$PATH\" HOME='\(folder.path())' TERM=xterm \(setting.start)")
    else { return }
    try window.enter("\(setting.load); echo LOADED-\(shell == .fish ? "(math 1 + 1)" : "$((1+1))")")
    #expect(try window.wait(for: "LOADED-2"))
    for (typed, expected) in [
      ("sim-runner valid", "sim-runner validate"), ("sim-runner run --plant late-p", "--plant late-pause"),
      ("sim-runner run --mode=in-p", "--mode=in-process"), ("sim-runner faults reor", "faults reorder"),
      ("sim-runner run tun", "run tunnel-one.json5"),
    ] {
      try window.type(typed)
      try window.run("send-keys", "Tab")
      let isThere = try window.wait(for: expected)
      let screen = try window.screen()
      #expect(isThere, "\(shell) \(typed): \(screen)")
      // The line goes, without the shell being interrupted in its work.
      try window.run("send-keys", "C-u")
    }
  }
}
