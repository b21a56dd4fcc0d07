// An app imports `Cenotaph` alone: the types in the facade's signatures come with it.
@_exported public import CenotaphMerge
@_exported public import CenotaphSeal
@_exported public import CenotaphSession
@_exported public import CenotaphStore
@_exported public import CenotaphWire
