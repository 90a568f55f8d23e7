import type { SqlError } from '#contract/database/sql/sql-query'
import { messageOf } from '../../../../api/client.ts'
import { setAssistantOpen } from '../../../../modules/assistant/assistant.ts'
import { toast } from '../../../../ui/floats/toast.ts'

/** A text that is longer than this would drown the question. */
const longest = 8000

/** Opens the assistant with the error and the text that it came from, ready to be sent. */
export async function askAssistant(
  ref: string,
  error: SqlError,
  query: { name: string; sql: string },
): Promise<void> {
  const question = `Why does this SQL fail, and how do I fix it?\n\n${error.formattedError.trimEnd()}`
  try {
    await setAssistantOpen(ref, true, {
      initialInput: question,
      suggestions: [
        `Correct this SQL. It fails with: ${error.message}`,
        `Explain this error: ${error.message}`,
        'What does this SQL do?',
      ],
      sqlSnippets: [{ name: query.name, sql: query.sql.slice(0, longest) }],
    })
  } catch (failure) {
    toast.error(messageOf(failure), { id: 'sql-assistant' })
  }
}
