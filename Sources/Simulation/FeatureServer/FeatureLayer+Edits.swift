import Uplink

// The operations of the layer: fields of a form in, bytes of an answer out.
extension FeatureLayer {
  /// Esri REST, "Add Features": it knows no `useGlobalIds`.
  mutating func addFeatures(_ form: RequestForm) throws(ServiceError) -> [UInt8] {
    let features = try SubmittedFeature.list(form.bytes("features"), parameter: "features")
    return answer(try add(features, form, keepsGlobalIDs: false), isApplyEdits: false)
  }

  /// Esri REST, "Apply Edits (Feature Service/Layer)", of which trackers use the adds.
  mutating func applyEdits(_ form: RequestForm) throws(ServiceError) -> [UInt8] {
    for name in ["updates", "deletes"] where form.text(name) != nil { throw .invalid(name) }
    let features = try SubmittedFeature.list(form.bytes("adds"), parameter: "adds")
    let keepsGlobalIDs = try form.flag("useGlobalIds", default: false)
    if keepsGlobalIDs, !model.takesGlobalIDs { throw .invalid("useGlobalIds") }
    return answer(try add(features, form, keepsGlobalIDs: keepsGlobalIDs), isApplyEdits: true)
  }

  private mutating func add(
    _ features: [SubmittedFeature], _ form: RequestForm, keepsGlobalIDs: Bool
  ) throws(ServiceError) -> [Result] {
    let isAllOrNothing = try form.flag("rollbackOnFailure", default: true)
    return add(
      features, keepsGlobalIDs: keepsGlobalIDs,
      isAllOrNothing: isAllOrNothing || !model.keepsPartOfRequest)
  }

  private func answer(_ results: [Result], isApplyEdits: Bool) -> [UInt8] {
    var text = JSONText()
    text.object { text in
      text.key("addResults")
      text.array { text in
        for result in results { write(result, to: &text) }
      }
      guard isApplyEdits else { return }
      for name in ["updateResults", "deleteResults"] {
        text.key(name)
        text.array { _ in }
      }
    }
    return text.bytes
  }

  private func write(_ result: Result, to text: inout JSONText) {
    text.object { text in
      text.key("objectId")
      switch result.verdict {
      case .success(let number): text.integer(number)
      case .failure: text.integer(-1)
      }
      if model.takesGlobalIDs, let globalID = result.globalID {
        text.key("globalId")
        text.string(globalID)
      }
      text.key("success")
      guard case .failure(let error) = result.verdict else { return text.boolean(true) }
      text.boolean(false)
      text.key("error")
      text.object { text in
        text.key("code")
        text.integer(error.code)
        text.key("description")
        text.string(error.description)
      }
    }
  }
}
