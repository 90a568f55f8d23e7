import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { authUsers, type AuthUser } from '#contract/auth/auth-users'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SaveCancel } from '../../../ui/controls/SaveCancel.tsx'
import { TextArea } from '../../../ui/controls/TextArea.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetUsers } from './queries.ts'
import { metadataFrom } from './user-words.ts'

type Props = { projectRef: string; user: AuthUser; which: 'user' | 'app' }

const words = {
  user: {
    title: 'User metadata',
    help: 'Users can change it themselves: never use it for authorization.',
  },
  app: { title: 'App metadata', help: 'Only the service key and this page change it.' },
}

/** One of the two JSON objects of a user, to read and to write. */
export function UserMetadata({ projectRef, user, which }: Props) {
  const kept = which === 'user' ? user.raw_user_meta_data : user.raw_app_meta_data
  const text = JSON.stringify(kept, null, 2)
  const [draft, setDraft] = useState<string>()
  const denied = useDenials(useProject(projectRef))(authUsers.update)
  const { title, help } = words[which]
  const save = useCall(authUsers.update, {
    onSuccess: async () => {
      await forgetUsers()
      setDraft(undefined)
      toast.success(`${title} saved`)
    },
  })
  const value = draft === undefined ? undefined : metadataFrom(draft)
  return (
    <section className="panel-part">
      <h3 className="users-head">
        {title}
        {draft === undefined && (
          <IconButton
            icon={Pencil}
            iconSize="s"
            label={`Edit ${title.toLowerCase()}`}
            disabledReason={denied}
            onClick={() => setDraft(text)}
          />
        )}
      </h3>
      {draft === undefined ? (
        <CodeBlock code={text} language="js" what={title.toLowerCase()} />
      ) : (
        <Form
          className="form-stack"
          error={save.error?.message}
          pending={save.isPending}
          onSubmit={() =>
            value &&
            save.mutate({
              ref: projectRef,
              id: user.id,
              ...(which === 'user' ? { user_metadata: value } : { app_metadata: value }),
            })
          }
        >
          <TextArea
            label={title}
            mono
            rows={Math.min(16, Math.max(4, draft.split('\n').length))}
            spellCheck={false}
            help={help}
            error={value ? undefined : 'Metadata is a JSON object'}
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
          />
          <div className="row-acts">
            <SaveCancel
              dirty={draft !== text}
              pending={save.isPending}
              reason={!value && 'Metadata is a JSON object'}
              onCancel={() => setDraft(undefined)}
            />
          </div>
        </Form>
      )}
    </section>
  )
}
