import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { assistant } from '#contract/assistant/assistant'
import type { SnippetListItem } from '#contract/database/snippets'
import { messageOf, q } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { Form } from '../../../../ui/controls/Form.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { longestName } from '../running/query-values.ts'
import { suggestName } from '../editor/suggest-name.ts'
import { useSnippetChange } from './use-snippet-change.ts'

type Props = { projectRef: string; snippet: SnippetListItem; onClose: () => void }

export function RenameDialog({ projectRef, snippet, onClose }: Props) {
  const [name, setName] = useState(snippet.name)
  const { change, isPending, error } = useSnippetChange()
  const { data: status } = useQuery(q(assistant.status, {}))
  const suggest = useMutation({
    mutationFn: () => suggestName(projectRef, snippet.id),
    onSuccess: setName,
  })
  const trimmed = name.trim()
  const invalid =
    trimmed.length > longestName ? `A name has at most ${longestName} characters` : undefined

  async function save() {
    if (!trimmed || invalid) return
    if (await change(snippet.id, { name: trimmed })) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Rename query"
      size="small"
      shell={(inside) => (
        <Form error={undefined} pending={isPending} onSubmit={save}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="form"
            variant="primary"
            busy={isPending}
            disabled={!trimmed || Boolean(invalid) || trimmed === snippet.name}
          >
            Rename
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        value={name}
        error={invalid ?? error ?? (suggest.error ? messageOf(suggest.error) : undefined)}
        labelEnd={
          status?.configured && (
            <button
              type="button"
              className="link"
              disabled={suggest.isPending}
              onClick={() => suggest.mutate()}
            >
              {suggest.isPending ? 'Thinking' : 'Suggest a name'}
            </button>
          )
        }
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
    </Dialog>
  )
}
