extension ResponseContext {
    /// The same for another request that is used while the call's own response is read: its own decoder overrides the
    /// call's.
    func reading<R: APIRequest>(by request: R) -> ResponseContext {
        var context = self
        (context.requestType, context.traits) = (nil, nil)
        context.diagnosisDetail.formUnion(request.diagnosisDetail)
        let own = request.writtenDecoder
        let isInherited = own is InheritedCoder
        let decoder = context.diagnosisDetail.applied(to: isInherited ? decoder : own)
        context.decoder = isInherited ? decoder : driftTally?.counting(decoder) ?? decoder
        return context
    }
}
