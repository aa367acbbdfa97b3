import Foundation
import Testing

@Suite struct `new` {
  @Test(arguments: [[], ["--phone-only"]])
  func `a new package has a scenario that is valid, and names its programs`(options: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "MyApp").path()
    let child = try CommandChild.run(["new", path] + options)
    #expect(child.status == 0, "\(child.errors)")
    // The commands are for the package's folder, so a relative path of this program would lead nowhere.
    #expect(child.output.contains("/sim-runner run tunnel.json5") && !child.output.contains("  .build/"))
    let valid = try CommandChild.call(["validate", "\(path)/tunnel.json5"])
    // The programs are not built yet.
    let said = valid.output.split(separator: "\n").filter { !$0.contains("warning: phone.command: found no file ") }
    #expect(valid.status == 0 && said.allSatisfy { $0.contains("warning: watch.command: found no file ") }, "\(said)")
    let package = try String(contentsOfFile: "\(path)/Package.swift", encoding: .utf8)
    #expect(
      package.contains("name: \"MyApp\"") && package.contains("path: \"\(CommandChild.packageRoot.path())".dropLast()))
    #expect(package.contains("MyAppWatch") == options.isEmpty)
    for name in ["MyAppPhone", "MyAppWatch"] {
      let isThere = FileManager.default.fileExists(atPath: "\(path)/Sources/\(name)/main.swift")
      #expect(isThere == (name == "MyAppPhone" || options.isEmpty))
    }
    let again = try CommandChild.call(["new", path])
    #expect(again.status == 2 && again.errors.contains("expected a folder that does not exist yet"), "\(again.errors)")
  }

  @Test(arguments: ["1App", "my-app", "App\u{1B}", String(repeating: "a", count: 41)])
  func `a name that no module can have is refused`(name: String) throws {
    let folder = try TemporaryFolder()
    let child = try CommandChild.call(["new", folder.url.appending(path: name).path(percentEncoded: false)])
    #expect(child.status == 2 && child.errors.contains("expected a letter, then letters and digits"), "\(child.errors)")
    #expect(folder.names.isEmpty)
  }

  @Test func `a checkout that is none is refused`() throws {
    let folder = try TemporaryFolder()
    let child = try CommandChild.call([
      "new", folder.url.appending(path: "MyApp").path(), "--wristwire", folder.url.path(),
    ])
    #expect(child.status == 2 && child.errors.contains("expected its checkout"), "\(child.errors)")
  }
}
