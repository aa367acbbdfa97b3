import Foundation

/// The property list of `project.pbxproj`.
indirect enum ProjectValue {
  case text(String)
  case list([ProjectValue])
  case object([String: ProjectValue])

  subscript(_ key: String) -> ProjectValue? { if case .object(let members) = self { members[key] } else { nil } }
  var string: String? { if case .text(let text) = self { text } else { nil } }
  var strings: [String] { if case .list(let list) = self { list.compactMap(\.string) } else { [] } }

  /// nil for a text that is none.
  init?(parsing bytes: [UInt8]) {
    var parser = ProjectParser(bytes: bytes)
    guard let value = parser.value(0) else { return nil }
    self = value
  }
}

private struct ProjectParser {
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func skip() {
    while place < bytes.count {
      let (byte, next) = (bytes[place], place + 1 < bytes.count ? bytes[place + 1] : 0)
      if byte <= 0x20 {
        place += 1
      } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
        while place < bytes.count, bytes[place] != 0x0A { place += 1 }
      } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        place += 2
        while place + 1 < bytes.count, !(bytes[place] == UInt8(ascii: "*") && bytes[place + 1] == UInt8(ascii: "/")) {
          place += 1
        }
        place = min(place + 2, bytes.count)
      } else {
        return
      }
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skip()
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  mutating func value(_ depth: Int) -> ProjectValue? {
    guard depth < 64 else { return nil }
    if take("{") {
      var members: [String: ProjectValue] = [:]
      while !take("}") {
        guard let key = word(), take("="), let member = value(depth + 1), take(";") else { return nil }
        members[key] = member
      }
      return .object(members)
    }
    if take("(") {
      var list: [ProjectValue] = []
      while !take(")") {
        guard let element = value(depth + 1) else { return nil }
        list.append(element)
        _ = take(",")
      }
      return .list(list)
    }
    return word().map(ProjectValue.text)
  }

  private mutating func word() -> String? {
    skip()
    guard place < bytes.count else { return nil }
    let start = place
    guard bytes[place] == UInt8(ascii: "\"") else {
      let ends = Set(" \t\r\n;,={}()\"".utf8)
      while place < bytes.count, !ends.contains(bytes[place]) { place += 1 }
      return place > start ? String(decoding: bytes[start..<place], as: UTF8.self) : nil
    }
    place += 1
    var text: [UInt8] = []
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count { place += 1 }
      text.append(bytes[place])
      place += 1
    }
    guard place < bytes.count else { return nil }
    place += 1
    return String(decoding: text, as: UTF8.self)
  }
}

/// The targets of an Xcode project.
struct XcodeProject {
  struct Target {
    var name: String
    /// `com.apple.product-type.application`.
    var type: String
    var isWatch: Bool
    /// Files in the folder of the project.
    var files: [String]
    /// Folders whose files all belong to it, but for some.
    var folders: [String]
    var exceptions: Set<String>
    var language = AppLanguage()

    var isApp: Bool { type.hasPrefix("com.apple.product-type.application") || type.hasSuffix("watchkit2-extension") }
    var isLibrary: Bool { type.contains("framework") || type.contains("library") }
  }

  var targets: [Target] = []

  init?(parsing bytes: [UInt8]) {
    guard let root = ProjectValue(parsing: bytes), case .object(let objects)? = root["objects"] else { return nil }
    var parents: [String: String] = [:]
    for (id, one) in objects { for child in one["children"]?.strings ?? [] { parents[child] = id } }
    func path(of id: String) -> String? {
      var (parts, next, steps): ([String], String?, Int) = ([], id, 0)
      while let one = next, steps < 64 {
        if let part = objects[one]?["path"]?.string { parts.insert(part, at: 0) }
        let tree = objects[one]?["sourceTree"]?.string
        if tree == "SOURCE_ROOT" { break }
        guard tree == "<group>" || tree == nil || parts.isEmpty else { return nil }
        (next, steps) = (parents[one], steps + 1)
      }
      return parts.joined(separator: "/")
    }
    func settings(of one: ProjectValue?) -> [ProjectValue] {
      let list = one?["buildConfigurationList"]?.string
      return (list.flatMap { objects[$0]?["buildConfigurations"]?.strings } ?? []).compactMap {
        objects[$0]?["buildSettings"]
      }
    }
    let project = root["rootObject"]?.string.flatMap { objects[$0] }
    for id in project?["targets"]?.strings ?? [] {
      guard let one = objects[id], let name = one["name"]?.string, let type = one["productType"]?.string else {
        continue
      }
      let own = settings(of: one)
      let isWatch =
        type.contains("watch")
        || own.contains { $0["SDKROOT"]?.string == "watchos" || $0["WATCHOS_DEPLOYMENT_TARGET"] != nil }
          && !own.contains { $0["SDKROOT"]?.string == "iphoneos" }
      var target = Target(name: name, type: type, isWatch: isWatch, files: [], folders: [], exceptions: [])
      // What a target does not say, its project says.
      target.language = AppLanguage { key in
        (own + settings(of: project)).lazy.compactMap { $0[key]?.string }.first
      }
      for phase in one["buildPhases"]?.strings ?? [] {
        guard objects[phase]?["isa"]?.string == "PBXSourcesBuildPhase" else { continue }
        for file in objects[phase]?["files"]?.strings ?? [] {
          if let reference = objects[file]?["fileRef"]?.string, let path = path(of: reference) {
            target.files.append(path)
          }
        }
      }
      for group in one["fileSystemSynchronizedGroups"]?.strings ?? [] {
        guard let folder = path(of: group) else { continue }
        target.folders.append(folder)
        for set in objects[group]?["exceptions"]?.strings ?? [] where objects[set]?["target"]?.string == id {
          target.exceptions.formUnion((objects[set]?["membershipExceptions"]?.strings ?? []).map { "\(folder)/\($0)" })
        }
      }
      targets.append(target)
    }
    // An exception of another target's folder is a file that belongs to this one, too.
    for (group, one) in objects where one["isa"]?.string == "PBXFileSystemSynchronizedRootGroup" {
      for set in one["exceptions"]?.strings ?? [] {
        guard let owner = objects[set]?["target"]?.string, let folder = path(of: group),
          let index = targets.firstIndex(where: { $0.name == objects[owner]?["name"]?.string }),
          !targets[index].folders.contains(folder)
        else { continue }
        targets[index].files += (objects[set]?["membershipExceptions"]?.strings ?? []).map { "\(folder)/\($0)" }
      }
    }
  }
}
