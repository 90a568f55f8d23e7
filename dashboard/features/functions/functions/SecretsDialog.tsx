import { useState } from 'react'
import { v1Secrets } from '#contract/v1/v1-secrets'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextArea } from '../../../ui/controls/TextArea.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetSecrets } from './queries.ts'
import { secretsIn } from './secrets-in.ts'

/** One secret or many, as lines of NAME=value. */
export function SecretsDialog({
  projectRef,
  onClose,
}: {
  projectRef: string
  onClose: () => void
}) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const save = useCall(v1Secrets.setSecrets, {
    onSuccess: async () => {
      onClose()
      toast.success('Secrets saved')
      await forgetSecrets()
    },
  })
  function send() {
    const read = secretsIn(text)
    if ('problem' in read) return setProblem(read.problem)
    setProblem(undefined)
    return save.mutate({ ref: projectRef, secrets: read.secrets })
  }
  return (
    <FormDialog
      title="Add secrets"
      verb="Save secrets"
      pending={save.isPending}
      onClose={onClose}
      onSubmit={send}
    >
      <div className="form-stack">
        <TextArea
          label="Names and values"
          mono
          rows={6}
          help="One per line, as NAME=value. Existing names get the new value."
          error={problem}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {save.error && <Alert variant="danger" title={save.error.message} />}
      </div>
    </FormDialog>
  )
}
