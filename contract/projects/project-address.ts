/** The names of its own by which requests reach a project, beside its ref; null where it has none. */
type ServedNames = { served_hostname: string | null; served_vanity: string | null }

/**
 * The address of a project that always works.
 * @param template `https://{ref}.example.com`, `http://localhost:8001/{ref}`.
 */
export const projectEndpoint = (ref: string, template: string): string =>
  template.replaceAll('{ref}', ref)

/** The address by a custom hostname: by the scheme and at the port of all others. */
export function customUrl(hostname: string, template: string): string {
  const { protocol, port } = new URL(projectEndpoint('ref', template))
  return `${protocol}//${hostname}${port === '' ? '' : `:${port}`}`
}

/** Whether the ref is a label of the host, so that another name can stand in its place. */
export const hasVanityNames = (template: string): boolean => /^https?:\/\/\{ref\}\./.test(template)

/** What people are told to use: the custom hostname, or the vanity subdomain, where requests reach the project by one. */
export function publicUrl(
  ref: string,
  { served_hostname, served_vanity }: ServedNames,
  template: string,
): string {
  if (served_hostname !== null) return customUrl(served_hostname, template)
  if (served_vanity !== null && hasVanityNames(template))
    return projectEndpoint(served_vanity, template)
  return projectEndpoint(ref, template)
}
