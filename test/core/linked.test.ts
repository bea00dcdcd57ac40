import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Link, LinkedList } from '../../src/core/linked.ts';

class Member implements Link<Member> {
  list: Link<Member>['list'] = undefined;
  before: Member | undefined = undefined;
  next: Member | undefined = undefined;
}

const isLinked = ({ list, before, next }: Member): boolean =>
  list !== undefined || before !== undefined || next !== undefined;

function standing(list: LinkedList<Member>): readonly Member[] {
  const found: Member[] = [];
  for (let one = list.first; one !== undefined; one = one.next) found.push(one);
  return found;
}

it('whoever comes stands last, whoever leaves is gone from all sides, in any order', () => {
  const steps = fc.array(fc.nat({ max: 9 }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, turns => {
      const list = new LinkedList<Member>();
      const members = Array.from({ length: 10 }, () => new Member());
      let model: readonly Member[] = [];
      // Who stands in it leaves, who does not comes.
      for (const turn of turns) {
        const member = members[turn];
        if (member === undefined) throw new Error('ten there are');
        if (member.list === undefined) {
          list.add(member);
          model = [...model, member];
        } else {
          member.list.remove(member);
          model = model.filter(each => each !== member);
        }
        expect(standing(list)).toEqual(model);
        expect(members.filter(isLinked)).toHaveLength(model.length);
      }
    }),
  );
});
