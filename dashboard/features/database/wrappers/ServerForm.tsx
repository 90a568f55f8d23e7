import { useState } from 'react'
import { databaseServer } from '#contract/database/database-server'
import { createServer } from '#contract/ddl/foreign-data'
import type { WrapperEntry } from '#contract/database/wrappers'
import { ObjectForm } from '../../../modules/objects/ObjectForm.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { isComplete, OptionFields } from './OptionFields.tsx'

type Props = { projectRef: string; wrapper: WrapperEntry; onClose: () => void }

/** Where the other server is. Its login comes next, apart, for that is a secret. */
export function ServerForm({ projectRef, wrapper, onClose }: Props) {
  const [name, setName] = useState('')
  const [options, setOptions] = useState<Record<string, string>>({})
  const server = name.trim()
  const wanted = wrapper.serverOptions ?? []
  const ready = server !== '' && isComplete(wanted, options)
  return (
    <ObjectForm
      projectRef={projectRef}
      size="medium"
      title={`New ${wrapper.label} server`}
      review="Review"
      asked={
        ready
          ? {
              change: createServer({ name: server, wrapper: wrapper.name, options }),
              title: `Add ${server}`,
              verb: 'Add server',
              done: `${server} is added`,
            }
          : undefined
      }
      forgets={[databaseServer.foreign]}
      onClose={onClose}
    >
      {() => (
        <>
          <p className="muted">{wrapper.about}</p>
          <TextField
            label="Name"
            mono
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the panel was opened to name a server
            autoFocus
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <OptionFields options={wanted} values={options} onChange={setOptions} />
        </>
      )}
    </ObjectForm>
  )
}
