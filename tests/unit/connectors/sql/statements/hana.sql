-- list
SELECT customer.credit AS c0, customer.id AS c1 
FROM customer 
WHERE customer.credit >= ? AND (customer."Full name" LIKE ? ESCAPE '!' OR customer.met < ?) AND (customer.id NOT IN (?, ?)) ORDER BY CASE WHEN (customer.credit IS NULL) THEN ? ELSE ? END, customer.credit DESC, customer.id ASC
 LIMIT ?
parameters: {"param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01 00:00:00", "param_3": 1, "param_4": 2, "param_5": 1, "param_6": 0, "param_7": 26}

-- next page
SELECT customer.credit AS c0, customer.id AS c1 
FROM customer 
WHERE customer.credit >= ? AND (customer."Full name" LIKE ? ESCAPE '!' OR customer.met < ?) AND (customer.id NOT IN (?, ?)) AND (customer.credit < ? OR customer.credit IS NULL OR customer.credit = ? AND customer.id > ?) ORDER BY CASE WHEN (customer.credit IS NULL) THEN ? ELSE ? END, customer.credit DESC, customer.id ASC
 LIMIT ?
parameters: {"param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01 00:00:00", "param_3": 1, "param_4": 2, "param_5": "12.30", "param_6": "12.30", "param_7": 7, "param_8": 1, "param_9": 0, "param_10": 26}

-- get
SELECT customer."Full name", customer.id 
FROM customer 
WHERE customer.id = ?
parameters: {"param_1": 7}

-- create
INSERT INTO customer ("Full name", credit, met) VALUES (?, ?, ?)
parameters: {"Full_name": "x", "credit": "12.30", "met": "2026-01-01 00:00:00"}

-- update
UPDATE customer SET "Full name"=?, credit=?, met=? WHERE customer.id = ?
parameters: {"Full_name": "x", "credit": "12.30", "met": "2026-01-01 00:00:00", "param_1": 7}

-- update where
UPDATE customer SET credit=? WHERE customer.credit >= ? AND (customer."Full name" LIKE ? ESCAPE '!' OR customer.met < ?) AND (customer.id NOT IN (?, ?))
parameters: {"credit": null, "param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01 00:00:00", "param_3": 1, "param_4": 2}

-- delete
DELETE FROM customer WHERE customer.id = ?
parameters: {"param_1": 7}

-- delete where
DELETE FROM customer WHERE customer.credit >= ? AND (customer."Full name" LIKE ? ESCAPE '!' OR customer.met < ?) AND (customer.id NOT IN (?, ?))
parameters: {"param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01 00:00:00", "param_3": 1, "param_4": 2}

