import { Plus } from 'lucide-react'
import type { Extension } from '#contract/database/database-object-shapes'
import type { Wrapper } from '#contract/database/database-server'
import { enableExtension } from '#contract/ddl/extensions'
import { postgresWrappers, type WrapperEntry } from '#contract/database/wrappers'
import type { Asked } from '../../../modules/objects/ReviewChange.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'

type Props = {
  states: ReadonlyMap<string, WrapperState>
  why: string | undefined
  onAdd: (wrapper: WrapperEntry) => void
  ask: (asked: Asked) => void
}

/** What can be wrapped here. */
export function WrapperList({ states, why, onAdd, ask }: Props) {
  return (
    <>
      <Card title="Part of Postgres" padded={false}>
        {postgresWrappers.map((wrapper) => (
          <div className="set-row" key={wrapper.name}>
            <div className="grow">
              <b>{wrapper.label}</b> <span className="mono faint">{wrapper.name}</span>
              <p>{wrapper.about}</p>
              <Because state={states.get(wrapper.name)} />
            </div>
            <WrapperAct
              wrapper={wrapper}
              state={states.get(wrapper.name)}
              why={why}
              onAdd={onAdd}
              ask={ask}
            />
          </div>
        ))}
      </Card>
      <p className="muted">
        Wrappers of other extensions appear in SQL once they are on this server. The operator can
        add them: <code className="mono">npx plinth extensions add FILE.deb</code>
      </p>
    </>
  )
}

function Because({ state }: { state: WrapperState | undefined }) {
  return state?.kind === 'operator' ? <p className="t12">{state.because}.</p> : null
}

type ActProps = Omit<Props, 'states'> & {
  wrapper: WrapperEntry
  state: WrapperState | undefined
}

function WrapperAct({ wrapper, state, why, onAdd, ask }: ActProps) {
  switch (state?.kind) {
    case undefined:
    case 'absent':
      return <span className="faint">Not available on this server</span>
    case 'operator':
      return (
        <Button icon={Plus} disabledReason={state.because}>
          Add server
        </Button>
      )
    case 'enable':
      return (
        <Button
          disabledReason={why}
          onClick={() =>
            ask({
              change: enableExtension({ name: wrapper.name, schema: 'extensions' }),
              title: `Enable ${wrapper.name}`,
              verb: 'Enable extension',
              done: `${wrapper.name} is enabled`,
            })
          }
        >
          Enable {wrapper.name}
        </Button>
      )
    case 'ready':
      return (
        <Button icon={Plus} disabledReason={why} onClick={() => onAdd(wrapper)}>
          Add server
        </Button>
      )
  }
}

export type WrapperState =
  /** Servers of it can be made. */
  | { kind: 'ready' }
  /** Its extension can be enabled by the reader. */
  | { kind: 'enable'; extension: Extension }
  /** There, but only the operator can enable it or allow its use. */
  | { kind: 'operator'; because: string }
  | { kind: 'absent' }

/** Whether a wrapper can be used here, and if not, what is missing. */
export function wrapperState(
  name: string,
  wrappers: readonly Wrapper[],
  extensions: readonly Extension[],
): WrapperState {
  const there = wrappers.find((wrapper) => wrapper.name === name)
  if (there?.may_use) return { kind: 'ready' }
  if (there)
    return {
      kind: 'operator',
      because: `It is enabled, but ${there.owner} has not granted its use`,
    }
  const extension = extensions.find((one) => one.name === name)
  if (!extension) return { kind: 'absent' }
  return extension.may_enable
    ? { kind: 'enable', extension }
    : {
        kind: 'operator',
        because:
          'This server has it, but it reaches beyond the database: only the operator of the server can enable it',
      }
}
