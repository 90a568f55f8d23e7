type Secret = { name: string; value: string }

/** The secrets that a text of `NAME=value` lines holds; quotes around a value and lines that begin with # do not count. */
export function secretsIn(text: string): { secrets: Secret[] } | { problem: string } {
  const secrets: Secret[] = []
  for (const [at, line] of text.split('\n').entries()) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const [, name, value = ''] = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(trimmed) ?? []
    if (name === undefined) return { problem: `Line ${at + 1} is not NAME=value` }
    if (name.startsWith('SUPABASE_')) {
      return { problem: `Line ${at + 1}: names that begin with SUPABASE_ are the platform's` }
    }
    secrets.push({ name, value: value.replace(/^(["'])(.*)\1$/, '$2') })
  }
  return secrets.length > 0 ? { secrets } : { problem: 'There is no secret in this text' }
}
