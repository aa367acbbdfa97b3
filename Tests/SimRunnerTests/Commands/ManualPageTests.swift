import Foundation
import Testing

@testable import Console
@testable import Commands

@Suite struct ManualPageTests {
  @Test func `every command has a page that lists all its options`() throws {
    let pages = ManualPage.all
    #expect(pages.count == CommandCatalog.all.count { !$0.isHidden } + 1)
    for command in CommandCatalog.all where !command.isHidden {
      let page = try #require(pages.first { $0.file == "sim-runner-\(command.name).1" })
      for option in command.options {
        #expect(
          page.text.contains("\\fB\(option.name.replacing("-", with: "\\-"))\\fR"), "\(command.name) \(option.name)")
      }
      for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "SEE ALSO"] {
        #expect(page.text.contains("\n.SH \(section)\n") || page.text.contains("Exit status"), "\(command.name)")
      }
    }
  }

  @Test func `the formatter has nothing to complain about, and prints what the help prints`() throws {
    guard let groff = Installed.path("groff") else {
      print("skipped: groff is not installed")
      return
    }
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let written = try Tool(["man", "--write", "pages"], in: folder).finish()
    #expect(written.status == 0, "\(written.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "pages").path())
    #expect(files.sorted() == ManualPage.all.map(\.file).sorted())
    for file in files {
      let path = folder.appending(path: "pages/\(file)").path()
      let warnings = try Installed.output("/bin/sh", ["-c", "\(groff) -man -Tutf8 -ww -z '\(path)' 2>&1"])
      #expect(warnings == "", "\(file)")
    }
    let page = folder.appending(path: "pages/sim-runner-sweep.1").path()
    let text = try #require(try Installed.output("/bin/sh", ["-c", "\(groff) -man -Tascii -P-c -P-b -P-u '\(page)'"]))
    for option in SweepCommand.options { #expect(text.contains(option.name), "\(option.name)") }
  }

  @Test func `a page of a command that is not there is refused with a hint`() throws {
    let result = try Tool.run(["man", "swep"])
    #expect(result.status == 2 && result.errors.contains("did you mean \"sweep\"?"), "\(result.errors)")
    #expect(try Tool.run(["man", "sweep"]).output == ManualPage.text(of: SweepCommand.self))
  }
}
