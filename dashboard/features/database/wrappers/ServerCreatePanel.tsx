import { useState } from 'react'
import { databaseServer } from '#contract/database/database-server'
import { createServer } from '#contract/ddl/foreign-data'
import type { WrapperEntry } from '#contract/database/wrappers'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { isComplete, OptionFields } from './OptionFields.tsx'

type Props = { projectRef: string; wrapper: WrapperEntry; onClose: () => void }

/** Where the other server is. Its login comes next, apart, for that is a secret. */
export function ServerCreatePanel({ projectRef, wrapper, onClose }: Props) {
  const [name, setName] = useState('')
  const [options, setOptions] = useState<Record<string, string>>({})
  const { ask, dialog } = useReview(projectRef, databaseServer.foreign)
  const wanted = wrapper.serverOptions ?? []
  const ready = name.trim() !== '' && isComplete(wanted, options)
  function submit() {
    if (!ready) return
    ask({
      change: createServer({ name: name.trim(), wrapper: wrapper.name, options }),
      title: `Add ${name.trim()}`,
      verb: 'Add server',
      done: `${name.trim()} is added`,
      onDone: onClose,
    })
  }
  // Beside the panel and not in it: submitting the one form must not submit the other.
  return (
    <>
      <SidePanel
        open
        onClose={onClose}
        title={`New ${wrapper.label} server`}
        shell={(inside) => (
          <Form error={undefined} pending={false} onSubmit={submit}>
            {inside}
          </Form>
        )}
        footer={
          <>
            <Button size="form" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" size="form" variant="primary" disabled={!ready}>
              Review
            </Button>
          </>
        }
      >
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
      </SidePanel>
      {dialog}
    </>
  )
}
