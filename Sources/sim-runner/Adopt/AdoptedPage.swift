/// `ADOPTED.md`: what compiled, what is stubbed, what was left out and why.
struct AdoptedPage {
  let package: AdoptedPackage
  /// The commands that come next.
  let steps: [String]
  /// Whether the compiler has judged the files.
  let isBuilt: Bool

  var text: String {
    var text = """
      # \(package.app.name), adopted

      Written by `sim-runner adopt`. The app's folder is as it was: `./build` copies what has changed there, decides
      `#if os(...)`, `targetEnvironment` and `canImport` for each device, and builds.

      ```
      \(steps.joined(separator: "\n"))
      ```

      `drawn.json5` draws what users may do; make it yours. A call of a stub is a finding of the run (`stub`).


      """
    if !isBuilt { text += "Nothing has been compiled yet (`--no-build`): what follows is what will be tried.\n\n" }
    for device in package.devices { text += section(device) }
    if !package.app.objectiveC.isEmpty {
      text += "## Objective-C\n\nThese use the session and cannot be compiled here:\n\n"
      text += list(package.app.objectiveC.map { "`\($0)`" })
    }
    if !package.app.tooLarge.isEmpty {
      text += "## Too large\n\nSwift files of more than 1 MiB are not read:\n\n" + list(package.app.tooLarge)
    }
    return text
  }

  private func list(_ lines: [String]) -> String { lines.map { "* \($0)\n" }.joined() + "\n" }

  private func section(_ device: AdoptedPackage.Device) -> String {
    let (plan, objects) = (device.plan, device.objects)
    var text = "## \(plan.role.title)\n\n\(plan.chosen.count) of \(plan.sources.count) files compile"
    text += isBuilt ? ", unmodified but for the conditions" : ""
    text += ": \(device.language.text).\n\n"
    if let why = device.otherMode {
      text += "The project says Swift 6, in which it does not compile here, so that no isolation traps: \(why)\n\n"
    }
    text += list(
      plan.chosen.sorted().map { path in
        let source = plan.sources[path]
        let notes =
          (source?.blanked.isEmpty == false ? ["without \(source?.blanked.joined(separator: ", ") ?? "")"] : [])
          + (source?.missingModules.map { "without import \($0)" } ?? [])
        return "`\(path)`" + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
      })
    let parts = plan.without.filter { plan.chosen.contains($0.key) }.sorted { $0.key < $1.key }
    if !parts.isEmpty {
      text += "### Left out of a file, as it does not compile: a finding of the run where it would be used\n\n"
      text += list(parts.flatMap { path, parts in parts.map { "`\(path)`: `\($0.name)`: \($0.why)" } })
    }
    let stubs = device.stubs.ordered(plan)
    if !stubs.isEmpty {
      text += "### Stubbed, the most used first\n\n" + list(stubs.map { "`\($0.name)`: uses: \($0.uses)" })
    }
    let members = device.stubs.orderedMembers(plan)
    if !members.isEmpty {
      text += "### Members stubbed, which Wristwire's types lack\n\n"
      text += list(members.map { "`\($0.member.type).\($0.member.name)`" })
    }
    let impossible = device.stubs.impossible.sorted { $0.key < $1.key }
    if !impossible.isEmpty {
      text += "### Types that cannot be stubbed\n\n" + list(impossible.map { "`\($0.key)`: \($0.value)" })
    }
    let views = plan.sources.values.filter { $0.isEmpty && !$0.blanked.isEmpty }.map(\.path).sorted()
    let others = plan.sources.values.filter { source in
      !source.isEmpty && !plan.chosen.contains(source.path) && !plan.leftOut.contains { $0.path == source.path }
    }
    if !plan.leftOut.isEmpty {
      text += "### Left out, as they do not compile\n\n" + list(plan.leftOut.map { "`\($0.path)`: \($0.why)" })
    }
    text +=
      "### Not needed\n\n\(views.count) files of views, and \(others.count) that the session's files do not use.\n\n"
    if let objects {
      text += "### The program\n\n" + list(objects.lines.map(\.about))
      if !objects.unmade.isEmpty { text += "Not made:\n\n" + list(objects.unmade) }
    }
    return text
  }
}
