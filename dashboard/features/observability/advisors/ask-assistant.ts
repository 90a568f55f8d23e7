import { messageOf } from '../../../api/client.ts'
import { setAssistantOpen } from '../../../modules/assistant/assistant.ts'
import { toast } from '../../../ui/floats/toast.ts'
import type { Finding } from './findings.ts'

/** Opens the assistant with the finding, ready to be sent. */
export async function askAssistant(
  ref: string,
  { title, detail, description, name }: Finding,
  sql: string | undefined,
): Promise<void> {
  const question = `How do I fix this advisor finding?\n\n${title} (${name})\n${detail}\n${description}`
  try {
    await setAssistantOpen(ref, true, {
      initialInput: question,
      suggestions: [
        // Each is a question by itself: a suggestion is sent without what is in the box.
        `What can happen because of this? ${detail}`,
        `Write the SQL that fixes this: ${detail}`,
        `Is it safe to ignore this? ${detail}`,
      ],
      sqlSnippets: sql === undefined ? [] : [{ name: title, sql }],
    })
  } catch (failure) {
    toast.error(messageOf(failure), { id: 'advisor-assistant' })
  }
}
