import { createPeople, type Person } from '../modules/operators/people.ts'
import { type CliContext, Refusal } from './command.ts'

/** Users as a command names them; refuses who is not there. */
export function peopleOf(context: CliContext) {
  const people = createPeople(context)
  async function find(who: string): Promise<Person> {
    const person = await people.find(who)
    if (person) return person
    throw new Refusal(`there is no user ${who.includes('@') ? 'with the e-mail address' : 'named'} '${who}'`)
  }
  return {
    all: people.all,
    find,
    async findForChange(who: string): Promise<Person> {
      const person = await find(who)
      if (person.state === 'deleting') throw new Refusal(`${person.username} is being deleted: nothing can be changed`)
      return person
    },
  }
}
