import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#contract/api'
import { settingOf } from '#contract/auth/auth-config-keys'
import { queryClient, useCall } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import type { MailTemplate } from './mail-kinds.ts'
import { authConfigQuery } from '../queries.ts'

type Props = { projectRef: string; template: MailTemplate; reason: string | undefined }

/** Takes the built-in texts of a mail back. */
export function ResetMail({ projectRef, template, reason }: Props) {
  const { title, subject, content } = template
  const { queryKey } = authConfigQuery(projectRef)
  const { data: config } = useSuspenseQuery(authConfigQuery(projectRef))
  const [asking, setAsking] = useState(false)
  const reset = useCall(api.authConfig.update, {
    onSuccess: (saved) => {
      queryClient.setQueryData(queryKey, saved)
      setAsking(false)
      toast.success(`${title} has its default texts`)
    },
  })
  if ([subject, content].every((key) => config[key] === settingOf(key).default)) return null
  return (
    <>
      <Button size="form" disabledReason={reason} onClick={() => setAsking(true)}>
        Reset to default
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Reset to the default texts?"
        footer={
          <>
            <Button size="form" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button
              size="form"
              variant="danger"
              busy={reset.isPending}
              onClick={() => reset.mutate({ ref: projectRef, [subject]: null, [content]: null })}
            >
              Reset
            </Button>
          </>
        }
      >
        <p>This replaces the subject and body of this email. Your text is lost.</p>
        {reset.error && (
          <p className="err" role="alert">
            {reset.error.message}
          </p>
        )}
      </Dialog>
    </>
  )
}
