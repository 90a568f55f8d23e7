import { randomBytes } from 'node:crypto'

/** What a client tells about itself, with the mark by which this telling is known. */
export type Meta = Record<string, unknown> & { phx_ref: string; phx_ref_prev?: string }
export type Entry = { key: string; meta: Meta }
/** Keys with what was told under each: the shape of `presence_state` and both halves of a `presence_diff`. */
export type Presences = Record<string, { metas: Meta[] }>
export type Diff = { joins: Entry[]; leaves: Entry[] }

/**
 * Who is present in one topic: for each process the set of what its clients have told. Each process alone changes its own
 * set and tells the others, so all come to the same state in whatever order they hear of each other.
 */
export class Presence {
  private readonly entries = new Map<string, Entry & { node: string }>()

  get size(): number {
    return this.entries.size
  }

  state(): Presences {
    return grouped([...this.entries.values()])
  }

  /** What one process has told. */
  of(node: string): Entry[] {
    return [...this.entries.values()]
      .filter((entry) => entry.node === node)
      .map(({ key, meta }) => ({ key, meta }))
  }

  /** Takes over what a process tells; what is known already, or gone already, changes nothing. */
  merge(node: string, { joins, leaves }: Diff): Diff {
    const left = leaves.filter(({ meta }) => this.entries.delete(meta.phx_ref))
    const joined = joins.filter(({ meta }) => !this.entries.has(meta.phx_ref))
    for (const { key, meta } of joined) this.entries.set(meta.phx_ref, { key, meta, node })
    return { joins: joined, leaves: left }
  }

  /** All that a process has told, instead of what is known of it. */
  replace(node: string, all: Entry[]): Diff {
    const refs = new Set(all.map(({ meta }) => meta.phx_ref))
    const leaves = this.of(node).filter(({ meta }) => !refs.has(meta.phx_ref))
    return this.merge(node, { joins: all, leaves })
  }
}

/** A telling for `track`; `before` is what it takes the place of. */
export function metaOf(payload: Record<string, unknown>, before: Meta | undefined): Meta {
  const phx_ref = randomBytes(9).toString('base64')
  return { ...payload, phx_ref, ...(before ? { phx_ref_prev: before.phx_ref } : {}) }
}

export function grouped(entries: readonly Entry[]): Presences {
  // Clients choose the keys: none of them may reach a prototype.
  const groups = new Map<string, { metas: Meta[] }>()
  for (const { key, meta } of entries) {
    const group = groups.get(key)
    if (group) group.metas.push(meta)
    else groups.set(key, { metas: [meta] })
  }
  return Object.fromEntries(groups)
}
