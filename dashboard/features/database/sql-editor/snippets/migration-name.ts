/** A file name as migration tools read it: `20260131235959_create_books.sql`, in UTC. */
export function migrationName(name: string, at: Date): string {
  const version = at.toISOString().slice(0, 19).replaceAll(/\D/g, '')
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 100)
  return `${version}_${words || 'query'}.sql`
}
