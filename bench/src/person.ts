import { randomBytes } from 'node:crypto'

export interface Person {
  readonly token: string
  readonly user: { readonly apiKey: string }
}

/** Registers and logs somebody in. */
export async function newPerson(url: string): Promise<Person> {
  const name = `bench${randomBytes(5).toString('hex')}`
  const user = { username: name, email: `${name}@gmail.com`, password: 'rahasia-sekali' }
  const post = (path: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(user),
    })
  await post('/auth/register')
  return (await (await post('/auth/login')).json()) as Person
}

export const newApiKey = async (url: string): Promise<string> => (await newPerson(url)).user.apiKey
