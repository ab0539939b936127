-- list
SELECT customer.credit AS c0, customer.id AS c1 
FROM customer 
WHERE customer.credit >= %(param_1)s AND ((convert(customer.`Full name` USING utf8mb4) COLLATE utf8mb4_bin) LIKE %(param_2)s ESCAPE '!' OR customer.met < %(param_3)s) AND (customer.id NOT IN (%(param_4)s, %(param_5)s)) ORDER BY CASE WHEN (customer.credit IS NULL) THEN %(param_6)s ELSE %(param_7)s END, customer.credit DESC, customer.id ASC 
 LIMIT %(param_8)s
parameters: {"param_1": 10, "param_2": "50!%[a]_!!%", "param_3": "2026-01-01 00:00:00", "param_4": 1, "param_5": 2, "param_6": 1, "param_7": 0, "param_8": 26}

-- next page
SELECT customer.credit AS c0, customer.id AS c1 
FROM customer 
WHERE customer.credit >= %(param_1)s AND ((convert(customer.`Full name` USING utf8mb4) COLLATE utf8mb4_bin) LIKE %(param_2)s ESCAPE '!' OR customer.met < %(param_3)s) AND (customer.id NOT IN (%(param_4)s, %(param_5)s)) AND (customer.credit < %(param_6)s OR customer.credit IS NULL OR customer.credit = %(param_7)s AND customer.id > %(param_8)s) ORDER BY CASE WHEN (customer.credit IS NULL) THEN %(param_9)s ELSE %(param_10)s END, customer.credit DESC, customer.id ASC 
 LIMIT %(param_11)s
parameters: {"param_1": 10, "param_2": "50!%[a]_!!%", "param_3": "2026-01-01 00:00:00", "param_4": 1, "param_5": 2, "param_6": "12.30", "param_7": "12.30", "param_8": 7, "param_9": 1, "param_10": 0, "param_11": 26}

-- get
SELECT customer.`Full name`, customer.id 
FROM customer 
WHERE customer.id = %(param_1)s
parameters: {"param_1": 7}

-- create
INSERT INTO customer (`Full name`, credit, met) VALUES (%(Full_name)s, %(credit)s, %(met)s)
parameters: {"Full_name": "x", "credit": "12.30", "met": "2026-01-01 00:00:00"}

-- update
UPDATE customer SET `Full name`=%(Full_name)s, credit=%(credit)s, met=%(met)s WHERE customer.id = %(param_1)s
parameters: {"Full_name": "x", "credit": "12.30", "met": "2026-01-01 00:00:00", "param_1": 7}

-- update where
UPDATE customer SET credit=%(credit)s WHERE customer.credit >= %(param_1)s AND ((convert(customer.`Full name` USING utf8mb4) COLLATE utf8mb4_bin) LIKE %(param_2)s ESCAPE '!' OR customer.met < %(param_3)s) AND (customer.id NOT IN (%(param_4)s, %(param_5)s))
parameters: {"credit": null, "param_1": 10, "param_2": "50!%[a]_!!%", "param_3": "2026-01-01 00:00:00", "param_4": 1, "param_5": 2}

-- delete
DELETE FROM customer WHERE customer.id = %(param_1)s
parameters: {"param_1": 7}

-- delete where
DELETE FROM customer WHERE customer.credit >= %(param_1)s AND ((convert(customer.`Full name` USING utf8mb4) COLLATE utf8mb4_bin) LIKE %(param_2)s ESCAPE '!' OR customer.met < %(param_3)s) AND (customer.id NOT IN (%(param_4)s, %(param_5)s))
parameters: {"param_1": 10, "param_2": "50!%[a]_!!%", "param_3": "2026-01-01 00:00:00", "param_4": 1, "param_5": 2}

