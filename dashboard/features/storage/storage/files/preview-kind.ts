export type PreviewKind = 'image' | 'audio' | 'video' | 'text' | 'pdf'

const texts =
  /^(?:text\/.*|application\/(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh|x-ndjson)|.*\+(?:json|xml))$/

/** How a file of this type is shown; undefined: not at all. */
export function previewKind(type: string | null): PreviewKind | undefined {
  const bare = type?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (bare === 'application/pdf') return 'pdf'
  if (bare.startsWith('image/')) return 'image'
  if (bare.startsWith('audio/')) return 'audio'
  if (bare.startsWith('video/')) return 'video'
  return texts.test(bare) ? 'text' : undefined
}
